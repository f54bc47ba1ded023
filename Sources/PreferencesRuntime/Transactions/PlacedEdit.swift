/// A change of one name in one of the stores.
struct PlacedEdit {
    var place: PreferenceEntry.Place
    var edit: PreferenceEdit
    /// Whether somebody asked for it, and it is not a former name that goes along.
    var isAsked = true
}

extension PreferenceEntry {
    /// What a change of the entry does to its places: what is under former names goes.
    func placed(_ edit: PreferenceEdit) -> [PlacedEdit] {
        var edits = [PlacedEdit(place: Place(name: name, isAmongSecrets: isSecret), edit: edit)]
        // Of nearly all keys, that is all.
        if !formerNames.isEmpty {
            edits += places.dropFirst().map { PlacedEdit(place: $0, edit: .remove, isAsked: false) }
        }
        return edits
    }
}

/// A change of one name in one of the stores.
struct PlacedEdit {
    var name: StoredName
    var edit: PreferenceEdit
    /// The present name of the entry that is changed.
    var entryName: StoredName

    /// Whether somebody asked for it, and it is not a former name that goes along.
    var isAsked: Bool { name === entryName }
}

extension PreferenceEdit {
    /// What a change of an entry does to its names: what is under former ones goes.
    func placed(_ names: [StoredName]) -> [PlacedEdit] {
        var edits = [PlacedEdit(name: names[0], edit: self, entryName: names[0])]
        // Of nearly all keys, that is all.
        if names.count > 1 {
            edits += names.dropFirst().map { PlacedEdit(name: $0, edit: .remove, entryName: names[0]) }
        }
        return edits
    }
}

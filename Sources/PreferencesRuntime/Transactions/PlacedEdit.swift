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
        places.enumerated().map { index, place in
            PlacedEdit(place: place, edit: index == 0 ? edit : .remove, isAsked: index == 0)
        }
    }
}

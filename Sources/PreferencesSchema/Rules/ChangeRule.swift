/// A class of changes, by their effect.
package enum ChangeClass: String, CaseIterable, Sendable {
    /// Stored values, which are lost, misread or refused.
    case storage
    /// Code that uses the accessors, which no longer compiles.
    case source
    /// The behavior of the program, with the same values and the same code.
    case behavior
}

/// A rule that a change from one version of a schema to the next can break. The raw value is the stable id at the end of
/// each report, and in `acceptedChanges`.
///
/// The generator only checks the ids. Their documentation is in `PreferencesComparison`.
package enum ChangeRule: String, CaseIterable, Hashable, Sendable {
    // Storage: names.
    case storageNameRemoved = "storage-name-removed"
    case formerNameRemoved = "former-name-removed"
    case storageNameReused = "storage-name-reused"
    case storageNamesMerged = "storage-names-merged"
    case reservedNameRemoved = "reserved-name-removed"
    case secretChanged = "secret-changed"
    case sharingChanged = "sharing-changed"

    // Storage: values.
    case typeChanged = "type-changed"
    case optionalRemoved = "optional-removed"
    case constraintTightened = "constraint-tightened"
    case rawValueRemoved = "raw-value-removed"
    case rawValueReused = "raw-value-reused"
    case storedFieldRemoved = "stored-field-removed"
    case storedFieldChanged = "stored-field-changed"
    case storedFieldRequired = "stored-field-required"

    // Source.
    case accessorRemoved = "accessor-removed"
    case accessorRenamed = "accessor-renamed"
    case accessorMoved = "accessor-moved"
    case accessorTypeChanged = "accessor-type-changed"
    case accessNarrowed = "access-narrowed"
    case setterNarrowed = "setter-narrowed"
    case typeNameChanged = "type-name-changed"
    case declaredTypeRemoved = "declared-type-removed"
    case enumCaseRemoved = "enum-case-removed"
    case enumCaseAdded = "enum-case-added"
    case rawTypeChanged = "raw-type-changed"
    case labelsRemoved = "labels-removed"
    case structMemberRemoved = "struct-member-removed"
    case structMemberChanged = "struct-member-changed"
    case structInitializerChanged = "struct-initializer-changed"
    case hashableRemoved = "hashable-removed"
    case catalogueRemoved = "catalogue-removed"

    // Behavior.
    case defaultChanged = "default-changed"
    case secretMoved = "secret-moved"
    case hooksChanged = "hooks-changed"
    case unitChanged = "unit-changed"
    case managedAdded = "managed-added"
    case managedRemoved = "managed-removed"
    case sharingAdded = "sharing-added"
    case mergeChanged = "merge-changed"

    package var changeClass: ChangeClass {
        switch self {
        case .storageNameRemoved, .formerNameRemoved, .storageNameReused, .storageNamesMerged, .reservedNameRemoved,
            .secretChanged, .sharingChanged, .typeChanged, .optionalRemoved, .constraintTightened, .rawValueRemoved,
            .rawValueReused,
            .storedFieldRemoved, .storedFieldChanged, .storedFieldRequired:
            .storage
        case .accessorRemoved, .accessorRenamed, .accessorMoved, .accessorTypeChanged, .accessNarrowed, .setterNarrowed,
            .typeNameChanged, .declaredTypeRemoved, .enumCaseRemoved, .enumCaseAdded, .rawTypeChanged, .labelsRemoved,
            .structMemberRemoved, .structMemberChanged, .structInitializerChanged, .hashableRemoved, .catalogueRemoved:
            .source
        case .defaultChanged, .secretMoved, .hooksChanged, .unitChanged, .managedAdded, .managedRemoved,
            .sharingAdded, .mergeChanged:
            .behavior
        }
    }
}

/// A change from the previous version of the schemas that their author accepts.
package struct AcceptedChange: Sendable {
    package var rule: ChangeRule
    /// The subject of the change: a storage name, or the name of an accessor or of a type.
    package var subject: String
    package var reason: String
    /// The place of the object in `acceptedChanges`.
    package var place: Place

    package init(rule: ChangeRule, subject: String, reason: String, place: Place) {
        self.rule = rule
        self.subject = subject
        self.reason = reason
        self.place = place
    }
}

/// Why a text is not a date that a schema can have.
package enum DateFault: Sendable {
    /// It does not look like one.
    case form
    case year
    case endOfDay
    case seconds
    case offset
    /// There is no such day, or no such time.
    case nonexistent

    /// Finds what is wrong with a text that `DateText` does not take.
    package init(in text: String) {
        let form =
            /([0-9]{4,}|-[0-9]{4,}|\+[0-9]{5,})-[0-9]{2}-[0-9]{2}T([0-9]{2}:[0-9]{2}:([0-9]{2}))(?:\.[0-9]+)?(?:Z|[+-]([0-9]{2}:[0-9]{2}))/
        guard let (_, year, time, seconds, offset) = text.wholeMatch(of: form)?.output else {
            self = .form
            return
        }
        if year.utf8.count != 4 || year < "1583" {
            self = .year
        } else if time == "24:00:00" {
            self = .endOfDay
        } else if seconds > "59" {
            self = .seconds
        } else if let offset, offset > "23:59" || offset.suffix(2) > "59" {
            self = .offset
        } else {
            self = .nonexistent
        }
    }

    /// The message for a text with this fault.
    func message(about text: String) -> String {
        switch self {
        case .form:
            "a value of type 'Date' must have the form '2026-01-31T12:00:00Z' or '2026-01-31T13:00:00+01:00' "
                + "(ISO 8601), not '\(text)'"
        case .year:
            "the year of '\(text)' must have four digits and be one from 1583 to 9999, where ISO 8601 has the Gregorian "
                + "calendar"
        case .endOfDay: "the end of a day must be written as '00:00:00' of the next day, not as in '\(text)'"
        case .seconds: "the seconds of '\(text)' must be at most 59: type 'Date' has no leap seconds"
        case .offset: "the offset from UTC in '\(text)' must be one from -23:59 to +23:59"
        case .nonexistent: "there is no such day or time as '\(text)'"
        }
    }
}

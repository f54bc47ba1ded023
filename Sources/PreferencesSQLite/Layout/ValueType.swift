/// What stands in the column `type`: how `value` is to be read.
enum ValueType: String {
    /// `value` is NULL.
    case null
    /// 0 or 1.
    case bool
    /// An integer.
    case int
    /// The digits of an integer above `Int64.max`, as text.
    case unsigned
    /// A real; not-a-number, which SQLite makes a NULL of, is the text `nan`.
    case double
    /// Text.
    case string
    /// A blob.
    case data
    /// A text by RFC 3339, or seconds since the start of 2001, as ``double``.
    case date
    /// The JSON text of an array or a dictionary.
    case json
}

/// A value on its way into a statement.
enum NativeValue {
    case null
    case number(Int64)
    /// A part of the bytes that are handed over along with it, in UTF-8.
    case text(Range<Int>)
    /// A part of the bytes that are handed over along with it.
    case bytes(Range<Int>)
}

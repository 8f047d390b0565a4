import FoundationEssentials

/// JSON as it is sent: on one line, the names in order.
enum CompactJSON {
    /// Writes a value.
    ///
    /// - Parameter value: strings in arrays or dictionaries, which JSON can always carry.
    /// - Returns: the text in UTF-8.
    /// - Throws: ``NotificationError/notJSON`` should the encoder refuse it all the same.
    static func encode(_ value: some Encodable) throws(NotificationError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw .notJSON
        }
    }
}

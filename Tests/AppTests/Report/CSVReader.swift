/// Reads CSV (RFC 4180) with line feeds between rows; nil if the text is not valid CSV.
enum CSVReader {
    static func rows(_ bytes: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var index = 0
        while index < bytes.count {
            guard let (cell, end) = cell(bytes, from: index), end < bytes.count else { return nil }
            row.append(cell)
            index = end + 1
            if bytes[end] == UInt8(ascii: "\n") {
                rows.append(row)
                row = []
            } else if bytes[end] != UInt8(ascii: ",") {
                return nil
            }
        }
        return row.isEmpty ? rows : nil
    }

    /// Reads one cell; returns it with the index of the comma or line feed after it.
    private static func cell(_ bytes: [UInt8], from start: Int) -> (String, Int)? {
        let quote = UInt8(ascii: "\"")
        var text: [UInt8] = []
        var index = start
        guard index < bytes.count, bytes[index] == quote else {
            while index < bytes.count, !",\n".utf8.contains(bytes[index]) {
                if "\"\r".utf8.contains(bytes[index]) { return nil }
                text.append(bytes[index])
                index += 1
            }
            return (String(decoding: text, as: UTF8.self), index)
        }
        index += 1
        while index < bytes.count {
            if bytes[index] == quote {
                guard index + 1 < bytes.count, bytes[index + 1] == quote else {
                    return (String(decoding: text, as: UTF8.self), index + 1)
                }
                index += 1
            }
            text.append(bytes[index])
            index += 1
        }
        return nil
    }
}

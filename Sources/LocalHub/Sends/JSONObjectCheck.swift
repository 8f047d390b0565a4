import Foundation

/// Whether bytes are one JSON object; Foundation's decoder bounds the nesting.
struct JSONObjectCheck: Decodable {
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: AnyKey.self)
    }

    /// Whether bytes are one JSON object.
    static func passes(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try JSONDecoder().decode(JSONObjectCheck.self, from: Data(bytes))
            return true
        } catch {
            return false
        }
    }
}

import Foundation
import Testing

extension String {
    /// The JSON object in this text.
    func object(_ location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any], "\(self)",
            sourceLocation: location)
    }

    /// The JSON array of objects in this text.
    func objects(_ location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        try #require(
            JSONSerialization.jsonObject(with: Data(utf8)) as? [[String: Any]], "\(self)",
            sourceLocation: location)
    }
}

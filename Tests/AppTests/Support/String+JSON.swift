import Foundation
import Testing

extension String {
    /// The JSON object that it holds.
    func object(_ location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any], "\(self)",
            sourceLocation: location)
    }

    /// The JSON array of objects that it holds.
    func objects(_ location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        try #require(
            JSONSerialization.jsonObject(with: Data(utf8)) as? [[String: Any]], "\(self)",
            sourceLocation: location)
    }
}

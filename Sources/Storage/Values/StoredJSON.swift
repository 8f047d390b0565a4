package import CampaignCore
import FoundationEssentials

/// Values that a store keeps as JSON.
package enum StoredJSON {
    /// What a run's pushes have in common; nil where a run has nothing of it.
    package static func pushOptions(_ text: String?) throws -> PushOptions {
        try text.map(decode) ?? PushOptions()
    }

    /// A value as JSON with sorted keys.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// What ``encode(_:)`` wrote.
    ///
    /// - Throws: ``DamagedValue`` for anything else.
    package static func decode<Value: Decodable>(_ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw DamagedValue()
        }
    }
}

import Foundation

/// A JSON object out of a payload, looked at without a type for all that clients may put into one.
///
/// Foundation's parser bounds the nesting.
struct JSONObject {
    private let values: [String: Any]

    private init(values: [String: Any]) {
        self.values = values
    }

    /// Reads bytes; nil when they are not one JSON object.
    init?(_ bytes: [UInt8]) {
        do {
            let value = try JSONSerialization.jsonObject(with: Data(bytes))
            guard let values = value as? [String: Any] else { return nil }
            self.values = values
        } catch {
            return nil
        }
    }

    /// The names of the members.
    var names: some Collection<String> { values.keys }

    /// Whether every member is a string.
    var holdsOnlyStrings: Bool { values.values.allSatisfy { $0 is String } }

    /// Whether there is a member of this name, `null` included.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The object under a name; nil when there is none.
    func object(_ name: String) -> JSONObject? {
        (values[name] as? [String: Any]).map(JSONObject.init(values:))
    }

    /// The string under a name; nil when there is none.
    func string(_ name: String) -> String? { values[name] as? String }

    /// The whole number under a name; nil when there is none.
    func integer(_ name: String) -> Int? { (values[name] as? NSNumber)?.intValue }
}

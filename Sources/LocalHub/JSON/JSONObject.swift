/// The members of a JSON object by name.
typealias JSONObject = [String: JSONValue]

extension JSONObject {
    /// Whether every member is a string.
    var holdsOnlyStrings: Bool { values.allSatisfy { $0.text != nil } }

    /// Whether there is a member of this name, `null` included.
    func has(_ name: String) -> Bool { self[name] != nil }

    /// The object under a name; nil when there is none.
    func object(_ name: String) -> JSONObject? { self[name]?.members }

    /// The string under a name; nil when there is none.
    func string(_ name: String) -> String? { self[name]?.text }

    /// The whole number under a name; nil when there is none.
    func integer(_ name: String) -> Int? {
        guard case .number(let number) = self[name] else { return nil }
        return Int(exactly: number)
    }
}

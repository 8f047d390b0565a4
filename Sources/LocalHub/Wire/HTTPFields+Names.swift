import HTTPTypes

extension HTTPFields {
    /// Adds a header by its name as text; a name that HTTP does not allow is left out.
    mutating func add(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { return }
        append(HTTPField(name: name, value: value))
    }
}

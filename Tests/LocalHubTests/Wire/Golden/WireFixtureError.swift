struct WireFixtureError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = "The fixture is malformed: \(description)."
    }
}

/// A template of an installation or a secondary tile (reference, section 7).
struct InstallationTemplate: Sendable, Hashable, Codable {
    /// The body, with template expressions.
    var body: String
    /// The headers for the push service by name.
    var headers: [String: String] = [:]
    /// When Apple's pushes expire, as given.
    var expiry: String?
    /// The tags beside those of the installation; the template's name is one of them.
    var tags: [String] = []

    /// The template as a registration has it.
    ///
    /// - Parameter name: the template's name.
    /// - Returns: the template.
    func registrationTemplate(named name: String) -> RegistrationTemplate {
        RegistrationTemplate(
            body: body, name: name,
            headers: headers.sorted { $0.key < $1.key }
                .map { RegistrationTemplate.Header(name: $0.key, value: $0.value) },
            expiry: expiry)
    }
}

/// The kind of a registration, from the name of its element: the platform, and whether it has a
/// template.
struct RegistrationKind: Equatable {
    let platform: LocalHubPlatform
    let isTemplate: Bool

    init(platform: LocalHubPlatform, isTemplate: Bool) {
        self.platform = platform
        self.isTemplate = isTemplate
    }

    /// Reads an element's name, such as `AppleTemplateRegistrationDescription`.
    init?(elementName: String) {
        let all = LocalHubPlatform.allCases.flatMap { platform in
            [false, true].map { RegistrationKind(platform: platform, isTemplate: $0) }
        }
        guard let kind = all.first(where: { $0.elementName == elementName }) else { return nil }
        self = kind
    }

    var elementName: String {
        platform.facts.element + (isTemplate ? "Template" : "") + "RegistrationDescription"
    }
}

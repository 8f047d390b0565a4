import Foundation
import HTTPServing

/// The body of `PUT /{hub}`: empty, or an Atom entry that contains a `NotificationHubDescription`.
struct HubDescriptionDocument {
    private let elements: [HubDescription.Element]
    /// The rules; nil if the body has none.
    private let rules: [AuthorizationRuleDocument]?

    /// The maximum number of rules of a hub, which is the same in the service.
    private static let mostRules = 12
    private static let mostElements = 32
    private static let mostProperties = 32

    /// Reads a body; throws a 400 if it is not a description or exceeds a limit.
    ///
    /// The caller must limit the size of the body.
    init(_ body: [UInt8]) throws(HubFailure) {
        guard !body.isEmpty else {
            elements = []
            rules = nil
            return
        }
        let entry = try MarkupReader.read(body)
        guard entry.name == "entry",
            let description = entry["content"]?.children.first,
            description.name == "NotificationHubDescription"
        else {
            throw .badRequest(
                "The body is not an Atom entry with a NotificationHubDescription in its content.")
        }
        elements = try Self.elements(of: description)
        rules = try description["AuthorizationRules"].map { element throws(HubFailure) in
            try Self.rules(of: element)
        }
    }

    /// Returns the description of a new hub, with the default rules; throws a 400 if there are too
    /// many rules.
    func description(
        at time: Date, random: () -> UInt64
    ) throws(HubFailure) -> HubDescription {
        var description = HubDescription(created: time)
        replace(&description, at: time, random: random)
        for (name, rights) in AuthorizationRule.defaults
        where !description.rules.contains(where: { $0.name == name }) {
            description.rules.append(
                AuthorizationRule(
                    name: name, rights: rights, primaryKey: AuthorizationRule.makeKey(random),
                    secondaryKey: AuthorizationRule.makeKey(random), created: time, modified: time))
        }
        guard description.rules.count <= Self.mostRules else {
            throw .tooManyRules(limit: Self.mostRules)
        }
        return description
    }

    /// Replaces a description; if the body has no rules, the existing rules are kept.
    func replace(_ description: inout HubDescription, at time: Date, random: () -> UInt64) {
        description.elements = elements
        description.updated = time
        guard let rules else { return }
        description.rules = rules.map { rule in
            rule.rule(
                replacing: description.rules.first { $0.name == rule.name }, at: time,
                random: random)
        }
    }

    private static func elements(
        of description: MarkupElement
    ) throws(HubFailure) -> [HubDescription.Element] {
        var elements: [HubDescription.Element] = []
        // A client may send back the whole description that it read, but the usage figures in it
        // are ignored.
        for child in description.children
        where !child.isNil && child.name != "AuthorizationRules" && !child.name.hasPrefix("Daily") {
            let isCredential = child.name.hasSuffix("Credential")
            guard isCredential || child.children.isEmpty && !child.text.isEmpty,
                !elements.contains(where: { $0.name == child.name })
            else { continue }
            guard child.name.utf8.allSatisfy(\.isLetterOrDigit), child.name.first?.isLetter == true
            else {
                throw .badRequest(
                    "The description has an element with the invalid name "
                        + "\(ClientText.quoted(child.name)); use letters and digits, beginning "
                        + "with a letter.")
            }
            elements.append(
                HubDescription.Element(
                    name: child.name, value: isCredential ? "" : child.text,
                    credential: isCredential ? try properties(of: child) : nil))
        }
        guard elements.count <= mostElements else {
            throw .badRequest("The description has more than \(mostElements) elements.")
        }
        return elements
    }

    private static func properties(
        of credential: MarkupElement
    ) throws(HubFailure) -> [HubDescription.Property] {
        let properties = credential["Properties"]?.children.filter { $0.name == "Property" } ?? []
        guard properties.count <= mostProperties else {
            throw .badRequest(
                "The \(credential.name) has more than \(mostProperties) properties.")
        }
        var read: [HubDescription.Property] = []
        for property in properties {
            guard let name = property["Name"]?.text, !name.isEmpty else {
                throw .badRequest("A property of the \(credential.name) has no Name.")
            }
            read.append(
                HubDescription.Property(name: name, value: property["Value"]?.text ?? ""))
        }
        return read
    }

    private static func rules(
        of element: MarkupElement
    ) throws(HubFailure) -> [AuthorizationRuleDocument] {
        guard element.children.count <= mostRules else { throw .tooManyRules(limit: mostRules) }
        var rules: [AuthorizationRuleDocument] = []
        for child in element.children {
            let rule = try AuthorizationRuleDocument(child)
            guard !rules.contains(where: { $0.name == rule.name }) else {
                throw .badRequest(
                    "Two authorization rules have the name \(ClientText.quoted(rule.name)); "
                        + "rename one.")
            }
            rules.append(rule)
        }
        return rules
    }
}

extension HubFailure {
    fileprivate static func tooManyRules(limit: Int) -> HubFailure {
        badRequest(
            "A hub can have up to \(limit) authorization rules, including the default rules; "
                + "remove some.")
    }
}

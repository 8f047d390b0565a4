import CampaignCore

extension KeyShape {
    /// How many characters of the author's own text a suggested line may repeat.
    private static let longest = 60
    /// Keys whose values are never repeated, because they may be secrets.
    private static let secrets: Set = ["connection_string", "heartbeat", "store"]

    /// A line with the value that the author wrote for another key, or with an example if that
    /// value is long or does not fit.
    func line(fitting node: YAMLNode?, under path: String) -> DiagnosticMessage {
        node.flatMap { fitted($0, under: path) } ?? "\(line)"
    }

    /// nil if the author's value is long or does not fit.
    func fitted(_ node: YAMLNode, under path: String) -> DiagnosticMessage? {
        let isPersonal = PeopleLines.areNamed(under: path)
        let value: DiagnosticMessage?
        switch self.value {
        case .mapping, .list(.mapping, _): value = rewritten(asList: node, under: path)
        case .list(let item, _):
            let fits = RightForm.words(of: node).allSatisfy { item.fitted($0) != nil }
            value = fits ? rewritten(asList: node, under: path) : nil
        default: value = fitted(node, isPersonal: isPersonal)
        }
        return value.map { "\(name): \($0)" }
    }

    /// A line with the value and its missing brackets or keys; nil if the intended meaning is not
    /// clear.
    func rewritten(
        _ node: YAMLNode, under path: String, kind: CampaignKind?
    ) -> DiagnosticMessage? {
        (bare.map { $0(node, kind) } ?? rewritten(asList: node, under: path))
            .map { "\(name): \($0)" }
    }

    private func rewritten(asList node: YAMLNode, under path: String) -> DiagnosticMessage? {
        switch value {
        case .mapping(let shape):
            shape.names.contains("usernames") ? RightForm.audience(node) : nil
        case .list(.mapping(let shape), _):
            shape.names.contains("campaign") ? RightForm.runs(node) : nil
        case .list where name == "files": RightForm.files(node)
        case .list where PeopleLines.areNamed(under: path) || PeopleLines.names.contains(name):
            RightForm.people(node)
        case .list: RightForm.list(node)
        default: nil
        }
    }

    /// Whether the value can be left as it is, with its own keys.
    func takesKeys(of node: YAMLNode) -> Bool {
        switch (node.content, value) {
        case (.mapping, .mapping), (.mapping, .texts), (.mapping, .dictionary): true
        case (.sequence(let items), .list):
            value.keyed != nil
                && items.contains { if case .mapping = $0.content { true } else { false } }
        default: false
        }
    }

    private func fitted(_ node: YAMLNode, isPersonal: Bool) -> DiagnosticMessage? {
        var node = node
        if case .sequence(let items) = node.content, items.count == 1 { node = items[0] }
        guard !Self.secrets.contains(name), let text = RightForm.text(of: node),
            text.count <= Self.longest, !text.contains(where: \.isNewline),
            let fitted = value.fitted(text)
        else { return nil }
        return isPersonal && value.isText ? "\(audience: fitted)" : "\(fitted)"
    }
}

extension ValueShape {
    /// The text in the correct form for this key; nil if the text does not fit.
    fileprivate func fitted(_ text: String) -> String? {
        switch self {
        case .text(let form): form.takes(text) ? RightForm.quoted(text) : nil
        case .texts: RightForm.quoted(text)
        case .integer(let bounds):
            WrittenNumber.read(text).flatMap { bounds.contains($0) ? "\($0)" : nil }
        case .boolean: Self.switches[text.lowercased()]
        case .choice(let choices): choices.first { $0.word == text.lowercased() }?.word
        case .duration: DurationText.usual.parse(text).map { _ in text }
        case .oneOf(let shapes): shapes.lazy.compactMap { $0.fitted(text) }.first
        case .list, .mapping, .dictionary: nil
        }
    }

    fileprivate var isText: Bool {
        switch self {
        case .text, .texts, .oneOf: true
        default: false
        }
    }

    /// Words for true and false.
    static let switches = [
        "true": "true", "yes": "true", "on": "true", "1": "true",
        "false": "false", "no": "false", "off": "false", "0": "false",
    ]
}

/// A whole number as people write it: `10k`, `1,000`, `2M`.
private enum WrittenNumber {
    static func read(_ text: String) -> Int? {
        var digits = text.lowercased().filter { !"_' ".contains($0) }
        var unit = 1
        if let last = digits.last, let factor = ["k": 1_000, "m": 1_000_000][last] {
            digits.removeLast()
            unit = factor
        }
        let groups = digits.split(omittingEmptySubsequences: false) { ",.".contains($0) }
        // A group of another length would mean a fraction.
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }), unit == 1 || groups.count == 1,
            let number = Int(groups.joined())
        else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : product
    }
}

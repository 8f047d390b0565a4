package import CampaignFormat

/// Which rules count in a call: all but the warnings and hints that are switched off.
package struct RuleChoice: Sendable {
    private let disabled: Set<String>

    /// Switches rules off.
    ///
    /// - Parameter names: of rules whose breaches are warnings or hints.
    /// - Throws: ``OperationFault`` for a name that no rule has, and for a rule whose breaches are errors.
    package init(disabling names: [String] = []) throws(OperationFault) {
        for name in names {
            guard let rule = RuleDescription.named(name) else { throw .noSuchRule(name) }
            guard rule.severity != .error else { throw .errorRule(name) }
        }
        disabled = Set(names)
    }

    /// What is left of findings, in their order.
    func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        disabled.isEmpty
            ? findings : findings.filter { $0.severity == .error || !disabled.contains($0.rule) }
    }
}

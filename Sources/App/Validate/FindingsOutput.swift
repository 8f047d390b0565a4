import CampaignCore
import CampaignFormat

struct FindingsOutput {
    let invocation: Invocation
    let format: FindingsFormat
    var isStrict = false
    var version: String?

    /// - Parameter files: the checked files, for formats that also list files without findings.
    func print(_ findings: [Diagnostic], checked files: [String] = []) throws {
        try Console.output(text(findings, checked: files), style: invocation.outputStyle)
    }

    func complain(_ findings: [Diagnostic]) throws {
        Console.notice(
            try text(findings, isOnStandardError: true), style: invocation.errorStyle)
    }

    /// The findings as whole lines; people's names and values are masked in a build log.
    func text(
        _ findings: [Diagnostic], checked files: [String] = [],
        isOnStandardError: Bool = false
    ) throws -> String {
        let masks = invocation.masksPeople
        switch format {
        case .text:
            let style = isOnStandardError ? invocation.errorStyle : invocation.outputStyle
            return TextDiagnosticRenderer(
                isColored: style == .colored, masksAudience: masks,
                width: isOnStandardError ? Console.errorColumns : Console.outputColumns
            ).render(findings)
        case .json:
            return try JSONDiagnosticRenderer(masksAudience: masks).render(findings)
        case .sarif:
            return try SARIFDiagnosticRenderer(version: version, masksAudience: masks)
                .render(invocation.repository(of: files, findings).placed(findings))
        case .github:
            return GitHubDiagnosticRenderer(masksAudience: masks)
                .render(invocation.repository(of: files, findings).placed(findings))
        case .junit:
            let root = invocation.repository(of: files, findings)
            return JUnitDiagnosticRenderer(isStrict: isStrict, masksAudience: masks)
                .render(root.placed(findings), checked: files.map(root.name))
        }
    }

    /// Returns a phrase such as `3 errors, 1 warning`.
    static func tally(_ findings: [Diagnostic]) -> String {
        let parts = Diagnostic.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            let word = severity.rawValue
            return count == 0 ? nil : Figures.count(count, word, word + "s")
        }
        return parts.isEmpty ? "no findings" : parts.joined(separator: ", ")
    }
}

extension Invocation {
    /// The repository of the checked files or, if no file was checked, of the findings.
    func repository(of files: [String], _ findings: [Diagnostic] = []) -> SourceRoot {
        let campaign = findings.first { $0.namings.isEmpty }?.file
        return SourceRoot(
            around: files.first ?? campaign ?? findings.first?.namings.first?.file,
            workspace: self["GITHUB_WORKSPACE"], seenFrom: currentFolder)
    }
}

enum ListFormat: String, CaseIterable, Sendable {
    case text
    case json
}

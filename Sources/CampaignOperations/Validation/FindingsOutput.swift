import CampaignCore
package import CampaignFormat
import Files
package import Settings
import Terminal

/// Prints findings the way the command was asked to.
package struct FindingsOutput {
    private let invocation: Invocation
    private let format: FindingsFormat
    private let isStrict: Bool
    private let version: String?

    /// - Parameters:
    ///   - invocation: where standard streams lead.
    ///   - format: how findings are written.
    ///   - isStrict: whether warnings count as failures.
    ///   - version: hubsend's version, for formats that name it.
    package init(
        invocation: Invocation, format: FindingsFormat, isStrict: Bool = false,
        version: String? = nil
    ) {
        self.invocation = invocation
        self.format = format
        self.isStrict = isStrict
        self.version = version
    }

    /// Prints the findings on stdout.
    ///
    /// - Parameters:
    ///   - findings: in their order.
    ///   - files: the files that were checked, for formats that also name files without findings.
    /// - Throws: `TerminalFault` when stdout cannot be written.
    package func print(_ findings: [Diagnostic], checked files: [String] = []) throws {
        try Console.output(text(findings, checked: files), style: invocation.outputStyle)
    }

    /// Prints the findings on stderr.
    func complain(_ findings: [Diagnostic]) throws {
        Console.notice(
            try text(findings, isOnStandardError: true), style: invocation.errorStyle)
    }

    /// The findings as text; audience values are masked when the output is a public build log.
    ///
    /// - Parameters:
    ///   - findings: in their order.
    ///   - files: the files that were checked.
    ///   - isOnStandardError: whether the text goes to stderr and not to stdout.
    /// - Returns: whole lines.
    /// - Throws: an error when the findings cannot be written as JSON.
    package func text(
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
            return try SARIFDiagnosticRenderer(
                root: root, version: version, masksAudience: masks
            ).render(findings)
        case .github:
            return GitHubDiagnosticRenderer(root: root, masksAudience: masks).render(findings)
        case .junit:
            return JUnitDiagnosticRenderer(isStrict: isStrict, masksAudience: masks).render(
                findings, checked: files)
        }
    }

    /// The folder of the repository: the one that GitHub names, else the nearest one with `.git`, else the current folder.
    private var root: SourceRoot {
        let current = invocation.currentFolder
        if let workspace = invocation["GITHUB_WORKSPACE"],
            current == workspace || Path.relative(current, to: workspace) != nil
        {
            return SourceRoot(workspace, seenFrom: current)
        }
        var folder = current
        while !Self.isThere(Path.file(".git", in: folder)) {
            let above = Path.folder(of: folder)
            guard above != folder else { return SourceRoot(current, seenFrom: current) }
            folder = above
        }
        return SourceRoot(folder, seenFrom: current)
    }

    /// Whether a path exists; a folder that cannot be looked into is not the caller's repository.
    private static func isThere(_ path: String) -> Bool {
        do {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            return false
        }
    }

    /// Such as `3 errors, 1 warning`.
    static func tally(_ findings: [Diagnostic]) -> String {
        let parts = Diagnostic.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            let word = severity.rawValue
            return count == 0 ? nil : Figures.count(count, word, word + "s")
        }
        return parts.isEmpty ? "no faults" : parts.joined(separator: ", ")
    }
}

/// How previews and lists are written.
package enum ListFormat: String, CaseIterable, Sendable {
    case text
    case json
}

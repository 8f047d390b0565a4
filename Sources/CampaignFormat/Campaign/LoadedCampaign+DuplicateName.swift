import YAMLSyntax

/// Names that two campaign files share.
extension LoadedCampaign {
    /// Says that another file has the same campaign name.
    ///
    /// - Parameter other: the other file's path.
    /// - Returns: an error at this file's name.
    package func duplicateName(with other: String) -> Diagnostic {
        let range = places["campaign"] ?? SourceRange(start: .start, end: .start)
        return Diagnostic(
            file: path, range: TextRange(range), severity: .error,
            rule: DiagnosticRule.duplicateName.rawValue,
            message: "The file \(other) has the same campaign name.",
            help: "Names are unique in a store, so one campaign would be taken for the other.",
            excerpt: Diagnostic.Excerpt(source, around: range.start, isPersonal: false))
    }
}

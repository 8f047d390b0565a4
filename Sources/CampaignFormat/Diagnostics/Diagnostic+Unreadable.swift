extension Diagnostic {
    /// A file of which no line can be shown.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - error: why it cannot be read.
    package init(unreadable path: String, because error: InputFileError) {
        self.init(
            file: path, range: TextRange(line: 1, column: 1), severity: .error,
            rule: DiagnosticRule.unreadableFile.rawValue, message: "\(path: error.description)")
    }
}

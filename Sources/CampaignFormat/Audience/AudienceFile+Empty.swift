/// What it means that a file is missing or names nobody.
extension AudienceFile {
    /// The fault of an exclusion that names nobody: what should have kept people out may be broken.
    var emptyFault: AudienceFileFault {
        AudienceFileFault(
            file: shownPath, range: TextRange(line: 1, column: 1), rule: .emptyExclusion,
            message: "The file names nobody.",
            help: "If it may be empty, write \"allow_empty: true\" beside it.", isFinal: true)
    }

    /// Whether a fault only says that an exclusion is not there, which the campaign allows.
    func forgives(_ fault: AudienceFileFault) -> Bool {
        allowsEmpty && (fault.rule == .missingFile || fault.isEmptyTable)
    }
}

extension AudienceFileFault {
    /// Whether the file is a table without even a header: zero bytes.
    fileprivate var isEmptyTable: Bool { rule == .csvHeader && line == nil }
}

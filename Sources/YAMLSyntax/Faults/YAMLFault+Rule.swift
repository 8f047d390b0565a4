extension YAMLFault {
    /// The rules that a file can break; the raw values are stable.
    package enum Rule: String, CaseIterable, Sendable {
        /// The text is not YAML.
        case syntax
        /// The bytes are not UTF-8.
        case encoding
        /// A control character, or a character that YAML programs read differently.
        case invalidCharacter = "invalid-character"
        /// A mapping has the same key twice.
        case duplicateKey = "duplicate-key"
        /// The file holds more than one document.
        case multipleDocuments = "multiple-documents"
        /// The file has more bytes than `YAMLLimits.bytes`.
        case tooLarge = "too-large"
        /// Values are nested deeper than `YAMLLimits.depth`.
        case tooDeep = "too-deep"
        /// The file has more values than `YAMLLimits.nodes`.
        case tooManyNodes = "too-many-nodes"
        /// Aliases stand for more values than `YAMLLimits.expandedNodes`.
        case tooMuchExpansion = "too-much-expansion"
        /// The file has more faults than `YAMLLimits.faults`.
        case tooManyFaults = "too-many-faults"
        /// An alias names no anchor above it.
        case unknownAlias = "unknown-alias"
        /// An alias stands inside the value that it names.
        case recursiveAlias = "recursive-alias"
        /// A key is not a single text.
        case complexKey = "complex-key"
        /// The key `<<`, which YAML 1.2 does not give a meaning.
        case mergeKey = "merge-key"
        /// A tag outside the core schema, or one that does not fit its value.
        case unsupportedTag = "unsupported-tag"
        /// A `%` line other than `%YAML 1.1` and `%YAML 1.2`.
        case unsupportedDirective = "unsupported-directive"
    }
}

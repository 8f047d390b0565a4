/// The rules of campaign, config, devices and audience files; those of YAML itself are in `YAMLSyntax`.
///
/// The raw values are stable: scripts filter by them.
enum DiagnosticRule: String, CaseIterable, Sendable {
    // What every YAML file must be.
    case emptyFile = "empty-file"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case wrongType = "wrong-type"
    case emptyValue = "empty-value"
    case indentation
    case unknownValue = "unknown-value"
    case outOfRange = "out-of-range"
    case invalidDuration = "invalid-duration"
    case invalidTime = "invalid-time"
    case conflictingKeys = "conflicting-keys"
    case noEffect = "no-effect"
    case overLimit = "over-limit"
    case tooLarge = "too-large"
    case tooManyFaults = "too-many-faults"
    case invalidIgnore = "invalid-ignore"
    case uselessIgnore = "useless-ignore"
    case secretInFile = "secret-in-file"

    // Campaigns.
    case notACampaign = "not-a-campaign"
    case invalidName = "invalid-name"
    case duplicateName = "duplicate-name"
    case unsupportedPlatform = "unsupported-platform"
    case oldSpelling = "old-spelling"
    case duplicateValue = "duplicate-value"
    case invalidRate = "invalid-rate"
    case keyNotForKind = "key-not-for-kind"
    case payloadContent = "payload-content"
    case invalidTemplate = "invalid-template"
    case invalidURL = "invalid-url"
    case unwritableCharacter = "unwritable-character"
    case variableWithoutValue = "variable-without-value"
    case unknownVariable = "unknown-variable"
    case lookAlikeVariable = "look-alike-variable"
    case cutText = "cut-text"
    case longText = "long-text"
    case secureLeak = "secure-leak"
    case tooSlow = "too-slow"
    case silentBudget = "silent-budget"

    // Files that a campaign names.
    case missingFile = "missing-file"
    case refusedFile = "refused-file"
    case unreadableFile = "unreadable-file"
    case staleFile = "stale-file"
    case notText = "not-text"
    case mediaTypeMismatch = "media-type-mismatch"
    case payloadType = "payload-type"
    case svgImage = "svg-image"
    case unusedFile = "unused-file"

    // Audiences.
    case invalidUsername = "invalid-username"
    case emptyAudience = "empty-audience"
    case emptyExclusion = "empty-exclusion"
    case audienceSize = "audience-size"
    case caseConflict = "case-conflict"
    case conflictingValues = "conflicting-values"
    case bodyTooLarge = "body-too-large"
    case encoding
    case invalidCSV = "invalid-csv"
    case csvHeader = "csv-header"
    case invalidLanguage = "invalid-language"
    case unknownColumn = "unknown-column"
    case notChecked = "not-checked"
    case unusedColumn = "unused-column"
    case personalUsername = "personal-username"
}

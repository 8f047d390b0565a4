extension Rule {
    /// Every rule, in the order of the manual; a rule that is not listed here is not checked.
    package static let groups = [
        Group(
            title: "YAML",
            rules: [
                .syntax, .invalidCharacter, .duplicateKey, .multipleDocuments, .tooDeep,
                .tooManyNodes, .tooMuchExpansion, .unknownAlias, .recursiveAlias, .complexKey,
                .mergeKey, .unsupportedTag, .unsupportedDirective,
            ]),
        Group(
            title: "Keys and values",
            rules: [
                .emptyFile, .unknownKey, .missingKey, .wrongType, .emptyValue, .indentation,
                .unknownValue, .outOfRange, .invalidDuration, .invalidTime, .conflictingKeys,
                .noEffect, .overLimit, .tooLarge, .tooManyFaults, .invalidIgnore, .uselessIgnore,
                .secretInFile,
            ]),
        Group(
            title: "Campaigns",
            rules: [
                .notACampaign, .invalidName, .duplicateName, .unsupportedPlatform, .oldSpelling,
                .duplicateValue, .keyNotForKind, .payloadContent, .payloadType,
            ]),
        Group(
            title: "Texts",
            rules: [
                .invalidTemplate, .variableWithoutValue, .unknownVariable, .lookAlikeVariable,
                .cutText, .invalidURL, .unwritableCharacter, .bodyTooLarge, .longText, .secureLeak,
                .invalidLanguage,
            ]),
        Group(title: "Sending", rules: [.invalidRate, .tooSlow, .silentBudget]),
        Group(
            title: "Files",
            rules: [
                .missingFile, .refusedFile, .unreadableFile, .staleFile, .notText,
                .mediaTypeMismatch, .svgImage, .unusedFile,
            ]),
        Group(
            title: "Audiences",
            rules: [
                .invalidUsername, .emptyAudience, .emptyExclusion, .unmatchedExclusion,
                .audienceSize, .caseConflict, .conflictingValues, .unknownColumn, .notChecked,
                .personalUsername,
            ]),
        Group(
            title: "Audience files",
            rules: [.encoding, .invalidCSV, .csvHeader, .missingValueWord, .unusedColumn]),
    ]
}

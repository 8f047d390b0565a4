import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct RuleCoverageTests {
    /// Rules that fixtures cannot break; the named tests do.
    private let elsewhere: Set<DiagnosticRule> = [
        .audienceSize,  // AudienceFaultTests.countsStandAtTheirKeys
        .duplicateName,  // AudienceFaultTests.aNameThatAnotherFileHasStandsAtTheName
        .caseConflict,  // AudienceFaultTests.namesThatDifferInCaseAreShownAtBothPlaces
        .conflictingValues,  // AudienceFaultTests.whoIsNamedAgainWithOtherValuesIsShownAtBothPlaces
        .bodyTooLarge,  // AudienceFaultTests.sizesAndCharactersStandAtTheMessage
        .tooLarge,  // InputFileTests.aFileOf200MegabytesIsAFaultAndIsNotRead
        .tooManyFaults,  // AudienceFilesTests.atMostTwentyFaultsOfAFileAreListed
        .staleFile,  // AudienceConditionsTests.aFileThatIsTooOldIsAFaultAtItsEntry
        .notChecked,  // AudienceConditionsTests.whatFilesDoNotTellIsSaidAtItsEntry
        .unreadableFile,  // needs a disk that fails
        .missingValueWord, .unmatchedExclusion,  // MessyTableTests, and mistakes
        // Findings that do not stop a campaign, in LintTests and IgnoreCommentTests:
        .invalidIgnore, .uselessIgnore, .secretInFile, .tooSlow, .silentBudget,
        .payloadType, .svgImage, .longText, .unusedFile, .unusedColumn, .personalUsername,
    ]

    @Test func everyRuleHasAFixture() throws {
        var output = ""
        for folder in ["campaigns", "config", "devices"] {
            for name in try Fixtures.names(in: folder) {
                output += try Fixtures.text("\(folder)/\(name).txt")
            }
        }
        for rule in DiagnosticRule.allCases where !elsewhere.contains(rule) {
            #expect(output.contains("[\(rule.rawValue)]"), "\(rule.rawValue) has no fixture")
        }
    }

    /// Rules with fewer than three variants to show.
    private let rare: Set<DiagnosticRule> = [
        .tooLarge, .tooManyFaults, .unreadableFile,
        .unusedFile,  // needs a folder that is searched
        .staleFile,  // needs a file of a certain age
    ]

    @Test func everyRuleHasThreeFixtures() throws {
        var outputs: [String] = []
        for folder in ["campaigns", "config", "devices", "faults"] {
            for name in try Fixtures.names(in: folder) {
                outputs.append(try Fixtures.text("\(folder)/\(name).txt"))
            }
        }
        for name in try FileManager.default.contentsOfDirectory(
            atPath: Fixtures.path("mistakes"))
        {
            outputs.append(try Fixtures.text("mistakes/\(name)/expected.txt"))
        }
        for rule in DiagnosticRule.allCases where !rare.contains(rule) {
            let count = outputs.count { $0.contains("[\(rule.rawValue)]") }
            #expect(count >= 3, "\(rule.rawValue) has \(count)")
        }
    }

    @Test func aCampaignWithVeryManyFaultsEndsWithTheirNumber() throws {
        let folder = try TemporaryFolder()
        let names = Array(repeating: "a b", count: 700).joined(separator: ",\n      ")
        let loaded = try folder.load(TemporaryFolder.campaign(audience: "usernames: [\(names)]"))
        #expect(loaded.diagnostics.count == 501)
        #expect(
            loaded.diagnostics.last?.message.text == "There are 200 more faults in this file.")
    }
}

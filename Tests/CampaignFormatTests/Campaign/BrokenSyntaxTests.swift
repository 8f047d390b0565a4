import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that as much as possible is read of a campaign with a syntax error.
@Suite(.bounded) struct BrokenSyntaxTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let broken = """
        campaign: Spring Sale
        kind: alrt
        platforms: [apns, fmc]
        audience:
          usernames: [alice, bob
          min_recipients: ten
        payload:
          message: "Hello
        delivery:
          rate: fast

        """

    @Test("A broken section does not hide errors in other sections")
    func brokenSectionDoesNotHideErrorsInOtherSections() throws {
        let loaded = try folder.load(Self.broken)
        #expect(loaded.campaign == nil)
        #expect(
            loaded.diagnostics.map { "\($0.range.line) \($0.rule)" } == [
                "1 invalid-name", "2 unknown-value", "3 unknown-value", "5 syntax", "8 syntax",
                "10 invalid-rate",
            ])
    }

    /// As long as part of the file cannot be read, it is not known which lines name people.
    @Test("If people are masked, no line of a broken campaign file is shown")
    func ifPeopleAreMaskedNoLineOfABrokenCampaignFileIsShown() throws {
        let loaded = try folder.load(Self.broken)
        let output = TextDiagnosticRenderer(masksAudience: true).render(loaded.diagnostics)
        #expect(!output.contains("alice"))
        #expect(!output.contains(" | "))
    }

    /// As long as part of the file cannot be read, it is not known which lines contain secrets.
    @Test("A config with a syntax error is not partially read")
    func configWithASyntaxErrorIsNotPartiallyRead() throws {
        let path = try folder.write(
            "hub: [\nstroe: a\nstore: 5\n", to: "hubsend.yaml", mode: 0o600)
        #expect(try ConfigFile.read(path, isNamed: true).diagnostics.map(\.rule) == ["syntax"])
    }
}

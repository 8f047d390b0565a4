import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// The schema and the decoder come from one description and agree on every file.
@Suite(.bounded) struct SchemaTests {
    struct Fixture: Sendable {
        let folder: String
        let name: String
        var path: String { "\(folder)/\(name).yaml" }
    }

    private static let folders = [
        (FileShape.campaign, "campaigns"), (.config, "config"), (.devices, "devices"),
        (.faults, "faults"),
    ]

    private static func fixtures(in folder: String) throws -> [Fixture] {
        try Fixtures.names(in: folder).map { Fixture(folder: folder, name: $0) }
    }

    /// Rules that some fixtures break but a schema cannot check.
    private static let excuses: [(rule: Rule, reason: String, fixtures: [String])] = [
        (.unwritableCharacter, "It depends on the platforms.", ["campaigns/alert-on-wns"]),
        (
            .conflictingKeys, "It compares values with each other.",
            [
                "campaigns/audience-bounds", "campaigns/schedule-conflicts",
                "campaigns/schedule-turns", "config/retention-order",
            ]
        ),
        (.invalidTime, "A pattern does not know the fields of cron.", ["campaigns/schedule-cron"]),
        (.outOfRange, "A pattern does not count variables.", ["campaigns/many-variables"]),
        (
            .invalidTemplate, "A pattern cannot tell variables from text with braces.",
            ["template-block", "templates", "templates-quoted-names", "templates-several"].map {
                "campaigns/\($0)"
            }
        ),
        (
            .invalidURL, "It depends on the config, and on variables in the address.",
            [
                "look-alikes-url", "url-app", "url-host", "url-http", "url-none", "url-password",
                "url-port", "url-space", "url-unsafe",
            ].map { "campaigns/\($0)" }
        ),
        (
            .variableWithoutValue, "It depends on the columns of other files.",
            [
                "long-line", "templates-several", "variables-escaped", "variables-inline",
                "variables-near", "variables-repeated", "variables-text-file", "variables-username",
                "wide",
            ].map { "campaigns/\($0)" }
        ),
        (
            .emptyAudience, "It depends on lists and files together.",
            ["campaigns/nobody", "campaigns/nobody-in-files"]
        ),
        (
            .missingFile, "It is about other files.",
            ["campaigns/exclusion-missing", "campaigns/payload-files"]
        ),
        (.emptyExclusion, "It is about other files.", ["campaigns/exclusion-missing"]),
        (
            .unknownColumn, "It is about other files.",
            ["campaigns/language-column-missing", "campaigns/schedule-column"]
        ),
        (.emptyValue, "It is about another file.", ["campaigns/payload-file-empty"]),
        (.notText, "It is about another file.", ["campaigns/secure-binary-file"]),
        (.refusedFile, "It is about who names the config.", ["config/unnamed-command"]),
    ]
    /// Rules that a schema cannot check in the sample values, and why.
    private static let beyondSchemas: [Rule: String] = [
        .notACampaign: "It is told by all keys of a file together.",
        .conflictingKeys: "It compares values with each other.",
        .duplicateValue: "One thing may be written in two ways, and items may share one key only.",
        .invalidDuration: "A pattern counts digits, and not days.",
        .invalidTime: "A pattern knows neither the days of a month nor the fields of cron.",
        .invalidName: "YAML takes 1.5 and the like for numbers, which no pattern is asked about.",
        .invalidUsername:
            "YAML takes +5 and the like for numbers, which no pattern is asked about.",
        .invalidLanguage: "A tag has parts whose order a pattern does not know.",
        .secureLeak: "A pattern cannot tell variables from text with braces.",
        .invalidTemplate: "A pattern cannot tell variables from text with braces.",
        .invalidURL: "It depends on the config, and on variables in the address.",
        .unwritableCharacter: "It depends on the platforms.",
        .variableWithoutValue: "It depends on the columns of other files.",
        .emptyAudience: "It depends on other files.",
        .missingFile: "It is about other files.",
        .unknownColumn: "It is about other files.",
        .refusedFile: "It is about other files, and about who names the config.",
        .notText: "It is about other files.",
        .emptyExclusion: "It is about other files.",
        .overLimit: "It compares values with each other.",
    ]

    /// One schema is compiled for all files of its kind.
    @Test("The schema and the decoder agree about every fixture", arguments: folders)
    func schemaAndTheDecoderAgreeAboutEveryFixture(_ file: FileShape, _ folder: String) throws {
        let validator = try validator(of: file)
        let fixtures = try Self.fixtures(in: folder)
        #expect(!fixtures.isEmpty)
        for fixture in fixtures {
            let text = try Data(contentsOf: URL(filePath: Fixtures.path(fixture.path)))
            let parsed = YAMLParser.parse(Array(text))
            let errors = try Self.errors(of: fixture)
            // Without YAML there is no value to check.
            guard let root = parsed.root else {
                #expect(!errors.isEmpty, "\(fixture.path)")
                continue
            }
            guard try validator.accepts(JSONValue(root)) else {
                #expect(!errors.isEmpty, "Only the schema refuses \(fixture.path)")
                continue
            }
            var unsaid = errors.subtracting(parsed.errors.map(\.rule.id))
            for excuse in Self.excuses
            where excuse.fixtures.contains("\(folder)/\(fixture.name)") {
                unsaid.remove(excuse.rule.id)
            }
            #expect(unsaid.isEmpty, "Only the decoder refuses \(fixture.path)")
        }
    }

    @Test("Every fixture that is listed as an exception exists")
    func everyFixtureThatIsListedAsAnExceptionExists() throws {
        let names = Set(
            try Self.folders.flatMap { try Self.fixtures(in: $1) }
                .map { "\($0.folder)/\($0.name)" })
        for excuse in Self.excuses { #expect(names.isSuperset(of: excuse.fixtures)) }
    }

    /// Some keys are reserved for pushes, and a sound or thread must be the same for everybody.
    @Test(
        "The schema refuses data keys that pushes reserve",
        arguments: [
            ("data: { aps: b }", false), ("data: { APS: b }", false),
            ("data: { Thread-Id: b }", false),
            ("data: { google.x: b }", false), ("data: { Gcm.x: b }", false),
            ("data: { apsx: b, x-message: c, google: d, gcmx: e }", true),
            ("sound: \"{{a}}\"", false), ("thread: \"x {{a\"", false),
            ("thread: \"x\\n{{a}}\"", false),
            ("sound: \"{a}\", thread: \"}}\"", true),
        ])
    func schemaRefusesDataKeysThatPushesReserve(_ keys: String, _ isGood: Bool) throws {
        let text = TemporaryFolder.campaign(
            kind: "kind: rich", payload: "message: Hi, type: text, text: Hello, \(keys)")
        let root = try #require(YAMLParser.parse(Array(text.utf8)).root)
        #expect(try validator(of: .campaign).accepts(JSONValue(root)) == isGood)
        let found = CampaignFile.read(standardInput: Array(text.utf8)).diagnostics
        #expect(found.hasErrors == !isGood)
    }

    /// A schedule determines when the campaign starts, or when people get pushes after a manual
    /// start.
    @Test(
        "The schema refuses a schedule without times",
        arguments: [
            ("schedule: { time_zone: UTC }", false),
            ("schedule: { time_zone: UTC, start_deadline: 1h }", false),
            ("schedule: { time_zone: UTC, cron: \"0 9 * * *\" }", true),
            ("schedule: { time_zone: UTC, cron: \"0 9 * * *\", at: 2030-12-01T09:00 }", false),
            ("schedule: { time_zone: UTC, quiet_hours: { from: \"21:00\", to: \"08:00\" } }", true),
            ("schedule: { time_zone: UTC }\ndelivery: { local_time: \"09:00\" }", true),
            ("delivery: { local_time: \"09:00\" }", false),
            ("delivery: { rate: 5/s, fallback: { after: 60s, message: Hi } }", true),
            ("delivery: { rate: 5/s, fallback: { after: 59s, message: Hi } }", false),
        ])
    func schemaRefusesAScheduleWithoutTimes(_ keys: String, _ isGood: Bool) throws {
        let text = TemporaryFolder.campaign(rest: keys)
        let root = try #require(YAMLParser.parse(Array(text.utf8)).root)
        #expect(try validator(of: .campaign).accepts(JSONValue(root)) == isGood)
        let found = CampaignFile.read(standardInput: Array(text.utf8)).diagnostics
        #expect(found.hasErrors == !isGood)
    }

    /// The rules that are broken in the file itself.
    private static func errors(of fixture: Fixture) throws -> Set<String> {
        let path = Fixtures.path(fixture.path)
        let found: [Diagnostic]
        switch fixture.folder {
        case "campaigns": found = try CampaignFile.read(path).diagnostics
        case "devices": found = try DevicesFile.read(path).diagnostics
        case "faults": found = try FaultsFile.read(path).diagnostics
        default: found = try config(String(contentsOfFile: path, encoding: .utf8))
        }
        return Set(
            found.filter { $0.severity == .error && ["hubsend.yaml", path].contains($0.file) }
                .map(\.rule))
    }

    /// Findings in a config that was found by a search.
    private static func config(_ text: String) throws -> [Diagnostic] {
        let input = InputFile(path: "hubsend.yaml", bytes: Array(text.utf8))
        let findings = Findings(input)
        var decoder = ConfigDecoder(findings: findings, folder: ".", isNamed: false)
        if let root = findings.root(of: input, knownBy: .config) { _ = decoder.decode(root) }
        return findings.finished()
    }

    // MARK: Every key

    /// The schema and the decoder agree on valid and invalid values at any key of a campaign.
    @Test(
        "The schema and the decoder agree about every key of a campaign",
        arguments: CampaignKind.allCases)
    func schemaAndTheDecoderAgreeAboutEveryKeyOfACampaign(_ kind: CampaignKind) throws {
        try expectAgreement(ShapeSamples(file: .campaign, kind: kind)) { text in
            CampaignFile.read(standardInput: Array(text.utf8)).diagnostics
        }
    }

    @Test("The schema and the decoder agree about every key of the other files")
    func schemaAndTheDecoderAgreeAboutEveryKeyOfTheOtherFiles() throws {
        // The decoder checks the parts of a proxy, a tag or a scheme, and a pattern cannot count
        // minutes.
        try expectAgreement(
            ShapeSamples(file: .config), beyond: [.unknownValue, .outOfRange], Self.config)
        try expectAgreement(ShapeSamples(file: .faults)) { text in
            FaultsFile.read(fileOrFault: text, from: "faults.yaml").diagnostics
        }
        let folder = try TemporaryFolder()
        // The form of a handle depends on the platform.
        try expectAgreement(ShapeSamples(file: .devices), beyond: [.outOfRange]) { text in
            try DevicesFile.read(folder.write(text, to: "devices.yaml")).diagnostics
        }
    }

    private func expectAgreement(
        _ samples: ShapeSamples, beyond further: [Rule] = [],
        _ decode: (String) throws -> [Diagnostic]
    ) throws {
        let unsayable = (Array(Self.beyondSchemas.keys) + further).map(\.id)
        let validator = try validator(of: samples.file)
        let files = samples.files
        var accepted = 0
        for value in files {
            let text = value.text()
            let errors = Set(
                try decode(text).filter { $0.severity == .error }.map(\.rule))
            if try validator.accepts(value) {
                let unsaid = errors.subtracting(unsayable)
                #expect(unsaid.isEmpty, "Only the decoder refuses \(text)")
                accepted += 1
            } else {
                #expect(!errors.isEmpty, "Only the schema refuses \(text)")
            }
        }
        #expect(accepted > samples.file.root.names.count)
        #expect(accepted < files.count)
    }

    // MARK: The schema itself

    @Test("The schema is JSON and names its draft", arguments: FileShape.all.map(\.name))
    func schemaIsJSONAndNamesItsDraft(_ name: String) throws {
        let file = try #require(FileShape.all.first { $0.name == name })
        let text = JSONSchema(file).text
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(object["$id"] as? String == "urn:hubsend:schema:\(name):1")
        #expect(object["additionalProperties"] as? Bool == false)
        #expect(text.hasSuffix("}\n"))
        #expect(text == JSONSchema(file).text)
    }

    /// Editors show these descriptions next to every key.
    @Test("Every key is explained in sentences", arguments: FileShape.all.map(\.name))
    func everyKeyIsExplainedInSentences(_ name: String) throws {
        let file = try #require(FileShape.all.first { $0.name == name })
        func check(_ shape: MappingShape, _ path: String) {
            for key in shape.keys {
                #expect(
                    key.summary.hasSuffix(".") || key.summary.hasSuffix("-"), "\(path)\(key.name)")
                #expect(key.title.first?.isUppercase == true, "\(path)\(key.name)")
                if case .mapping(let inner) = key.value { check(inner, path + key.name + ".") }
            }
        }
        check(file.root, "")
    }

    @Test("The validator refuses unknown keywords") func validatorRefusesUnknownKeywords() {
        let schema: JSONValue = ["properties": ["a": ["items": ["format": "date"]]]]
        #expect(throws: SchemaValidator.UnknownKeyword(keyword: "format")) {
            try SchemaValidator(schema)
        }
    }

    @Test(
        "A value is converted to JSON the way editors do it",
        arguments: [
            ("1.5", "{\"a\": 1.5}"), ("007", "{\"a\": 7}"), ("no", "{\"a\": \"no\"}"),
            ("\"5\"", "{\"a\": \"5\"}"), ("~", "{\"a\": null}"), ("True", "{\"a\": true}"),
            ("09:00", "{\"a\": \"09:00\"}"), ("[1, x]", "{\"a\": [1, \"x\"]}"),
        ])
    func valueIsConvertedToJSONTheWayEditorsDoIt(_ yaml: String, _ json: String) throws {
        let root = try #require(YAMLParser.parse(Array("a: \(yaml)".utf8)).root)
        let text = JSONValue(root).text().split(separator: "\n")
            .map { $0.drop { $0 == " " } }.joined()
        #expect(text == json)
    }

    @Test("The keys of the defaults are the keys that campaigns can share")
    func keysOfTheDefaultsAreTheKeysThatCampaignsCanShare() throws {
        let paths = Set(FileShape.config.paths.filter { $0.hasPrefix("defaults.") })
        #expect(paths.isSuperset(of: ["defaults.platforms", "defaults.audience.exclude.files"]))
        let own = [
            "campaign", "kind", "audience.usernames", "audience.files", "payload.message",
            "payload.file", "payload.apns", "schedule.cron",
        ]
        for path in own { #expect(!paths.contains("defaults." + path), "\(path)") }
        let campaign = Set(FileShape.campaign.paths)
        #expect(paths.allSatisfy { campaign.contains(String($0.dropFirst("defaults.".count))) })
    }

    private func validator(of file: FileShape) throws -> SchemaValidator {
        try SchemaValidator(JSONSchema(file).value)
    }
}

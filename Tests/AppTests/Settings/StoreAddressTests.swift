import TestSupport
import Testing

@testable import App
@testable import PostgreSQLClient

/// Tests a store on a server: which setting takes effect, and where a password is allowed.
@Suite(.bounded) struct StoreAddressTests {
    private static let config = "store: postgresql://team@db.example/hubsend\n"
    private static let secret = "tulips"

    @Test(
        "The store's flag overrides the variable and the config",
        arguments: [
            (nil, [:], "postgresql://team@db.example/hubsend"),
            (
                nil, ["HUBSEND_STORE": "postgres://variable.example/hubsend"],
                "postgresql://variable.example/hubsend"
            ),
            (
                "postgresql://flag.example:5433/hubsend", ["HUBSEND_STORE": "kept.sqlite"],
                "postgresql://flag.example:5433/hubsend"
            ),
        ] as [(String?, [String: String], String)])
    func storesFlagOverridesTheVariableAndTheConfig(
        flag: String?, environment: [String: String], used: String
    ) throws {
        let place = try SettingsPlace(["a/hubsend.yaml": Self.config, "a/x.yaml": ""])
        let settings = try place.load(
            "a/x.yaml", flags: SettingFlags(store: flag), environment: environment)
        #expect(settings.store.file == nil)
        #expect(settings.store.description == used)
    }

    @Test("An explicit store file overrides the config's server")
    func explicitStoreFileOverridesTheConfigsServer() throws {
        let place = try SettingsPlace(["a/hubsend.yaml": Self.config, "a/x.yaml": ""])
        let settings = try place.load("a/x.yaml", flags: SettingFlags(store: "kept.sqlite"))
        #expect(settings.store == .file(place.file("elsewhere/kept.sqlite")))
    }

    @Test("The local files of a server store are next to the config")
    func localFilesOfAServerStoreAreNextToTheConfig() throws {
        let place = try SettingsPlace(["a/hubsend.yaml": Self.config, "a/x.yaml": ""])
        let settings = try place.load("a/x.yaml")
        #expect(settings.localFolder == place.file("a/.hubsend"))
        #expect(settings.reports == place.file("a/.hubsend/reports"))
        #expect(settings.audit == place.file("a/.hubsend/audit.jsonl"))
        #expect(settings.payloadKeyFile == place.file("a/.hubsend/payload.key"))
        #expect(settings.command() == "hubsend --config \(place.file("a/hubsend.yaml"))")
    }

    @Test("Suggested commands include the server if it was set by a variable")
    func suggestedCommandsIncludeTheServerIfItWasSetByAVariable() throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "{}\n", "a/x.yaml": ""])
        let uri = "postgresql://db.example/hubsend"
        let settings = try place.load("a/x.yaml", environment: ["HUBSEND_STORE": uri])
        #expect(
            settings.command() == "hubsend --config \(place.file("a/hubsend.yaml")) --store \(uri)")
    }

    @Test(
        "A password is accepted only from the environment and never shown",
        arguments: [
            "postgresql://team:tulips@db.example/hubsend",
            "postgresql://db.example/hubsend?user=team&password=tulips",
            "postgresql://db.example/hubsend?sslpassword=tulips",
        ])
    func passwordIsAcceptedOnlyFromTheEnvironmentAndNeverShown(uri: String) throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "{}\n", "a/x.yaml": ""])
        let fault = #expect(throws: Refused.self) {
            try place.load("a/x.yaml", flags: SettingFlags(store: uri))
        }
        #expect(fault?.sentence.hasPrefix("--store contains a password, which others can ") == true)
        #expect(fault?.description.contains(Self.secret) == false)

        let settings = try place.load("a/x.yaml", environment: ["HUBSEND_STORE": uri])
        #expect(!"\(settings.store)".contains(Self.secret))
        #expect(settings.store.option == nil)
        #expect(
            settings.command()
                == "HUBSEND_STORE=\"$HUBSEND_STORE\" hubsend --config \(place.file("a/hubsend.yaml"))"
        )
    }

    @Test("A password in the config is refused even if it is overridden")
    func passwordInTheConfigIsRefusedEvenIfItIsOverridden() throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": "store: postgresql://team:tulips@db.example/hubsend\n",
            "a/x.yaml": "",
        ])
        for flag in [nil, "kept.sqlite"] {
            let fault = #expect(throws: Refused.self) {
                try place.load("a/x.yaml", flags: SettingFlags(store: flag))
            }
            let setting = "`store` of \(place.file("a/hubsend.yaml"))"
            #expect(fault?.sentence.hasPrefix("\(setting) contains a password, which ") == true)
        }
    }

    @Test("No finding in a config shows the line with the server")
    func noFindingInAConfigShowsTheLineWithTheServer() throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": """
            store: postgresql://team:tulips@db.example/hubsend
            stoer: x

            """, "a/x.yaml": "",
        ])
        let faults = #expect(throws: ConfigErrors.self) { try place.load("a/x.yaml") }
        #expect(faults.map { "\($0)".contains(Self.secret) } == false)
    }

    @Test(
        "An address with a mistyped scheme is not mistaken for a path",
        arguments: [
            "PostgreSQL://team:tulips@db.example/hubsend",
            "postgresqll://team:tulips@db.example/hubsend",
            "'postgresql://team:tulips@db.example/hubsend'",
            "postgres:/team:tulips@db.example/hubsend",
            "host=db.example user=team password=tulips",
        ])
    func addressWithAMistypedSchemeIsNotMistakenForAPath(text: String) throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": "{}\n", "a/x.yaml": "",
            "b/hubsend.yaml": "store: \"\(text)\"\n", "b/x.yaml": "",
        ])
        let faults = [
            #expect(throws: Refused.self) {
                try place.load("a/x.yaml", flags: SettingFlags(store: text))
            },
            #expect(throws: Refused.self) {
                try place.load("a/x.yaml", environment: ["HUBSEND_STORE": text])
            },
            #expect(throws: Refused.self) { try place.load("b/x.yaml") },
        ]
        let settings = [
            "--store", "HUBSEND_STORE", "`store` of \(place.file("b/hubsend.yaml"))",
        ]
        for (fault, setting) in zip(faults, settings) {
            let sentence = "The address in \(setting) is wrong. \(PostgreSQLAddressError.noURI)"
            #expect(fault?.sentence == sentence)
            #expect(fault?.description.contains(Self.secret) == false)
        }
    }

    @Test(
        "The error about an unreadable address names its setting without quoting it",
        arguments: [
            "postgresql://db.example:tulips/hubsend",
            "postgresql://team:tul@ips@db.example/hubsend",
            "postgresql://db.example/hubsend?colour=tulips",
        ])
    func errorAboutAnUnreadableAddressNamesItsSettingWithoutQuotingIt(uri: String) throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "{}\n", "a/x.yaml": ""])
        let fault = #expect(throws: Refused.self) {
            try place.load("a/x.yaml", environment: ["HUBSEND_STORE": uri])
        }
        #expect(fault?.description.hasPrefix("The address in HUBSEND_STORE is wrong. ") == true)
        #expect(fault?.description.contains(Self.secret) == false)
    }

    @Test("A missing libpq is not reported as a wrong address")
    func missingLibpqIsNotReportedAsAWrongAddress() throws {
        let fault = try #require(PostgreSQLLibrary.load("libpq-of-nobody.so.5"))
        #expect(
            StoreChoice.refusal(.noLibrary(fault), setting: "--store").sentence
                == "--store names a store on a PostgreSQL server. \(fault)")
    }
}

import CampaignFormat
import Files
import TestSupport
import Testing

@testable import App

/// Tests the precedence of settings: flags, environment variables, the config, the defaults.
@Suite(.bounded) struct EffectiveSettingsTests {
    @Test(
        "The store's flag overrides its variable and the config",
        arguments: [
            (nil, [:], "a/config.sqlite"),
            (nil, ["HUBSEND_STORE": "variable.sqlite"], "elsewhere/variable.sqlite"),
            ("flag.sqlite", ["HUBSEND_STORE": "variable.sqlite"], "elsewhere/flag.sqlite"),
        ] as [(String?, [String: String], String)])
    func storesFlagOverridesItsVariableAndTheConfig(
        flag: String?, environment: [String: String], used: String
    ) throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "store: config.sqlite\n", "a/x.yaml": ""])
        let settings = try place.load(
            "a/x.yaml", flags: SettingFlags(store: flag), environment: environment)
        #expect(settings.store == .file(place.file(used)))
        #expect(settings.reports == place.file("a/.hubsend/reports"))
        #expect(settings.configPath == place.file("a/hubsend.yaml"))
    }

    @Test(
        "The backend listens where the config says",
        arguments: [("", 8080), ("backend: { listen: '127.0.0.1:99' }\n", 99)] as [(String, Int)])
    func backendListensWhereTheConfigSays(config: String, port: Int) throws {
        let place = try SettingsPlace(["hubsend.yaml": "reports: r\n" + config, "x.yaml": ""])
        let address = try place.load("x.yaml").backendAddress()
        #expect(address.host == "127.0.0.1")
        #expect(address.port == port)
    }

    @Test("An address to listen on requires a port") func addressToListenOnRequiresAPort() throws {
        let place = try SettingsPlace(["hubsend.yaml": "backend: { listen: here }\n", "x.yaml": ""])
        #expect(throws: Refused.self) {
            try place.load("x.yaml").backendAddress()
        }
    }

    @Test("The reports variable is used unless a flag overrides it")
    func reportsVariableIsUsedUnlessAFlagOverridesIt() throws {
        let place = try SettingsPlace(["hubsend.yaml": "reports: config\n", "x.yaml": ""])
        let variables = ["HUBSEND_REPORTS": "variable"]
        #expect(try place.load("x.yaml").reports == place.file("config"))
        #expect(
            try place.load("x.yaml", environment: variables).reports
                == place.file("elsewhere/variable"))
        #expect(
            try place.load(
                "x.yaml", flags: SettingFlags(reports: "/flag"), environment: variables
            ).reports == "/flag")
    }

    @Test(
        "The flag for exports overrides the variable and the config",
        arguments: [
            (nil, [:], "out", false),
            (nil, ["HUBSEND_AUDIENCES": "variable"], "elsewhere/variable", true),
            ("flag", ["HUBSEND_AUDIENCES": "variable"], "elsewhere/flag", true),
        ] as [(String?, [String: String], String, Bool)])
    func flagForExportsOverridesTheVariableAndTheConfig(
        flag: String?, environment: [String: String], used: String, isChosen: Bool
    ) throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "audiences: ../out\n", "a/x.yaml": ""])
        let settings = try place.load(
            "a/x.yaml", flags: SettingFlags(audiences: flag), environment: environment)
        let folder = ExportFolder(path: place.file(used), isChosen: isChosen)
        #expect(settings.audiences == folder)
        #expect(settings.scope.exports == folder)
    }

    @Test("A config that was named explicitly can set the exports folder")
    func configThatWasNamedExplicitlyCanSetTheExportsFolder() throws {
        let place = try SettingsPlace(["a/hubsend.yaml": "audiences: /srv/out\n", "a/x.yaml": ""])
        let named = try place.load(
            "a/x.yaml", flags: SettingFlags(config: place.file("a/hubsend.yaml")))
        #expect(named.audiences == ExportFolder(path: "/srv/out", isChosen: true))
        let none = try SettingsPlace(["hubsend.yaml": "{}\n", "x.yaml": ""])
        #expect(try none.load("x.yaml").audiences == nil)
    }

    @Test("The config next to the campaign overrides one above it")
    func configNextToTheCampaignOverridesOneAboveIt() throws {
        let place = try SettingsPlace([
            "hubsend.yaml": "store: wrong.sqlite\n", "sub/hubsend.yaml": "store: right.sqlite\n",
            "sub/x.yaml": "",
        ])
        #expect(try place.load("sub/x.yaml").store == .file(place.file("sub/right.sqlite")))
    }

    @Test("A flag overrides the variable that names the config")
    func flagOverridesTheVariableThatNamesTheConfig() throws {
        let place = try SettingsPlace([
            "x.yaml": "", "hubsend.yaml": "store: wrong.sqlite\n",
            "flag.yaml": "store: flag.sqlite\n", "variable.yaml": "store: variable.sqlite\n",
        ])
        let variables = ["HUBSEND_CONFIG": place.file("variable.yaml")]
        let named = try place.load("x.yaml", environment: variables)
        #expect(named.store == .file(place.file("variable.sqlite")))
        let flagged = try place.load(
            "x.yaml", flags: SettingFlags(config: place.file("flag.yaml")), environment: variables)
        #expect(flagged.store == .file(place.file("flag.sqlite")))
        #expect(flagged.command() == "hubsend --config \(place.file("flag.yaml"))")
    }

    @Test("A config with errors is refused") func configWithErrorsIsRefused() throws {
        let place = try SettingsPlace(["x.yaml": "", "hubsend.yaml": "stoer: a.sqlite\n"])
        let faults = #expect(throws: ConfigErrors.self) { try place.load("x.yaml") }
        #expect(faults?.findings.hasErrors == true)
    }

    /// In an additional work tree, `.git` is a file.
    @Test(
        "The search for a config ends at the repository's root",
        arguments: ["repository/.git/HEAD", "repository/.git"])
    func searchForAConfigEndsAtTheRepositorysRoot(mark: String) throws {
        let place = try SettingsPlace([
            "hubsend.yaml": "store: wrong.sqlite\n", mark: "", "repository/teams/x.yaml": "",
        ])
        let settings = try place.load("repository/teams/x.yaml")
        #expect(settings.configPath == nil)
        #expect(settings.store == .file(place.file("repository/teams/.hubsend/store.sqlite")))
    }

    @Test("Campaigns with a config cannot be run together with campaigns without one")
    func campaignsWithAConfigCannotBeRunTogetherWithCampaignsWithout() throws {
        let place = try SettingsPlace(["a/.git/HEAD": "", "a/x.yaml": "", "b/y.yaml": ""])
        let other = try SettingsPlace(["hubsend.yaml": "{}\n", "z.yaml": ""])
        let fault = #expect(throws: Refused.self) {
            try EffectiveSettings.load(
                SettingFlags(), campaigns: [place.file("a/x.yaml"), other.file("z.yaml")],
                invocation: place.invocation())
        }
        #expect(
            fault?.description.contains("config files: \(other.file("hubsend.yaml")), none.")
                == true, "\(fault?.description ?? "")")
    }

    /// If this file were ignored, a config in a folder above would be used instead.
    @Test("A config that is a broken link is refused")
    func configThatIsABrokenLinkIsRefused() throws {
        let place = try SettingsPlace(["hubsend.yaml": "{}\n", "sub/x.yaml": ""])
        try place.link("sub/hubsend.yaml", to: "gone.yaml")
        #expect(throws: InputFileError.self) { try place.load("sub/x.yaml") }
    }

    @Test("Campaigns in different folders require an explicit store")
    func campaignsInDifferentFoldersRequireAnExplicitStore() throws {
        let place = try SettingsPlace(["a/x.yaml": "", "b/y.yaml": ""])
        let fault = #expect(throws: Refused.self) { try place.load("a/x.yaml", "b/y.yaml") }
        let folders = "its own store: \(place.file("a")), \(place.file("b")). "
        #expect(fault?.sentence.contains(folders) == true)
        let named = try place.load(
            "a/x.yaml", "b/y.yaml", flags: SettingFlags(store: "kept/store.sqlite"))
        #expect(named.store == .file(place.file("elsewhere/kept/store.sqlite")))
        #expect(named.reports == place.file("elsewhere/kept/reports"))
    }

    @Test(
        "A path that was not expanded is refused",
        arguments: [
            (SettingFlags(store: "~/x.sqlite"), [:], "--store", "begins with ~"),
            (SettingFlags(store: " "), [:], "--store", "is empty"),
            (SettingFlags(reports: ""), [:], "--reports", "is empty"),
            (SettingFlags(), ["HUBSEND_STORE": "$HOME/x.sqlite"], "HUBSEND_STORE", "begins with $"),
            (SettingFlags(), ["HUBSEND_STORE": "\"/x.sqlite\""], "HUBSEND_STORE", "begins with \""),
            (SettingFlags(), ["HUBSEND_REPORTS": "~/reports"], "HUBSEND_REPORTS", "begins with ~"),
            (SettingFlags(audiences: "~/out"), [:], "--audiences", "begins with ~"),
            (SettingFlags(), ["HUBSEND_AUDIENCES": "$OUT"], "HUBSEND_AUDIENCES", "begins with $"),
        ])
    func pathThatWasNotExpandedIsRefused(
        flags: SettingFlags, variables: [String: String], setting: String, words: String
    ) throws {
        let place = try SettingsPlace(["hubsend.yaml": "{}\n", "x.yaml": ""])
        let fault = #expect(throws: Refused.self) {
            try place.load("x.yaml", flags: flags, environment: variables)
        }
        let text = try #require(fault?.description)
        #expect(text.contains(setting) && text.contains(words), "\(text)")
    }
}

/// With a second store, everybody would get two pushes, so there must be no doubt about the store.
@Suite(.bounded) struct StoreCertaintyTests {
    @Test("A remote hub requires a config or an explicit store")
    func remoteHubRequiresAConfigOrAnExplicitStore() throws {
        let place = try SettingsPlace(["a/x.yaml": "", "b/hubsend.yaml": "{}\n", "b/y.yaml": ""])
        func check(_ settings: EffectiveSettings, isLoopback: Bool = false) throws {
            try settings.requireStorePath(forHubAt: "contoso.example", isLoopback: isLoopback)
        }
        let unsure = try place.load("a/x.yaml")
        let fault = #expect(throws: Refused.self) { try check(unsure) }
        #expect(fault?.sentence.hasPrefix("The hub at contoso.example is not on this ") == true)
        try check(unsure, isLoopback: true)
        try check(try place.load("a/x.yaml", flags: SettingFlags(store: "store.sqlite")))
        try check(try place.load("b/y.yaml"))
    }

    @Test("A campaign from stdin requires an explicit store")
    func campaignFromStdinRequiresAnExplicitStore() throws {
        let place = try SettingsPlace([:])
        let settings = try place.load("-")
        #expect(throws: Refused.self) { try settings.requireStorePath() }
        try place.load("-", environment: ["HUBSEND_STORE": "store.sqlite"]).requireStorePath()
    }

    @Test("A link and its target share a store") func linkAndItsTargetShareAStore() throws {
        let place = try SettingsPlace(["sub/x.yaml": ""])
        try place.link("alias.yaml", to: "sub/x.yaml")
        let store = place.file("sub/.hubsend/store.sqlite")
        for path in ["alias.yaml", "sub/x.yaml", "sub/../alias.yaml"] {
            #expect(try place.load(path).store == .file(store), "\(path)")
        }
    }

    @Test(
        "A campaign has the same store in every working directory",
        arguments: [
            (".", "nc/x.yaml"), ("nc", "x.yaml"), ("third", "../nc/x.yaml"), (".", "same/x.yaml"),
            ("third", "way/../x.yaml"), ("nc", ".//./../nc/x.yaml"),
        ])
    func campaignHasTheSameStoreInEveryWorkingDirectory(folder: String, path: String) throws {
        let place = try SettingsPlace([
            "nc/x.yaml": "", "third/keep.txt": "", "nc/sub/keep.txt": "",
        ])
        try place.link("third/way", to: "../nc/sub")
        try place.link("same", to: "nc")
        let settings = try EffectiveSettings.load(
            SettingFlags(), campaigns: [path],
            invocation: Invocation(environment: [:], currentFolder: place.file(folder)))
        #expect(settings.store == .file(place.file("nc/.hubsend/store.sqlite")))
        #expect(settings.reports == place.file("nc/.hubsend/reports"))
    }

    @Test("A config that is reached through a link has the same store")
    func configThatIsReachedThroughALinkHasTheSameStore() throws {
        let place = try SettingsPlace([
            "releases/1/x.yaml": "", "releases/1/sub/keep.txt": "",
            "releases/1/hubsend.yaml": "store: ../shared/store.sqlite\n",
        ])
        try place.link("current", to: "releases/1")
        try place.link("inner", to: "releases/1/sub")
        for (path, flags) in [
            ("current/x.yaml", SettingFlags()),
            ("current/x.yaml", SettingFlags(config: place.file("current/hubsend.yaml"))),
            ("inner/../x.yaml", SettingFlags(config: place.file("inner/../hubsend.yaml"))),
            (
                "current/x.yaml",
                SettingFlags(store: place.file("current/../shared/store.sqlite"))
            ),
        ] {
            let store = try place.load(path, flags: flags).store
            guard case .file(let path) = store else {
                Issue.record("\(store) is no file")
                continue
            }
            #expect(Path.resolved(path) == place.file("releases/shared/store.sqlite"))
        }
    }

    @Test("A link to a file with another config is refused")
    func linkToAFileWithAnotherConfigIsRefused() throws {
        let place = try SettingsPlace([
            "sub/hubsend.yaml": "store: other.sqlite\n", "sub/x.yaml": "",
        ])
        try place.link("alias.yaml", to: "sub/x.yaml")
        let settings = try place.load("alias.yaml")
        let fault = #expect(throws: Refused.self) {
            try settings.requireStorePath(forHubAt: "hub", isLoopback: true)
        }
        let sentence = try #require(fault?.sentence)
        #expect(sentence.hasPrefix("The campaign \(place.file("alias.yaml")) is a link to a file"))
        #expect(sentence.hasSuffix(" Name that file: \(place.file("sub/x.yaml"))"))
        try place.load("alias.yaml", flags: SettingFlags(store: "one.sqlite"))
            .requireStorePath(forHubAt: "hub", isLoopback: true)
    }

    @Test("The environment's heartbeat overrides the config's")
    func environmentsHeartbeatOverridesTheConfigs() async throws {
        let place = try SettingsPlace([
            "hubsend.yaml": "heartbeat: https://ping.example/a\nmetrics: out/a.prom\n",
            "key": "https://ping.example/b\n",
        ])
        let flags = SettingFlags(config: place.file("hubsend.yaml"))
        let config = try place.load(flags: flags)
        #expect(config.heartbeat?.setting == "heartbeat")
        #expect(try await config.heartbeat?.text() == "https://ping.example/a")
        #expect(config.metrics == place.file("out/a.prom"))
        let environment = try place.load(
            flags: flags, environment: ["HUBSEND_HEARTBEAT_FILE": place.file("key")])
        #expect(environment.heartbeat?.setting == "HUBSEND_HEARTBEAT_FILE")
        #expect(try await environment.heartbeat?.text() == "https://ping.example/b")
        #expect(environment.scope.refused.contains(place.file("key")))
        let none = try SettingsPlace([:]).load()
        #expect(none.metrics == nil)
        if let heartbeat = none.heartbeat { Issue.record("\(heartbeat.setting) gives one.") }
    }
}

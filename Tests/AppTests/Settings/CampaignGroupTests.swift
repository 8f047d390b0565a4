import Files
import TestSupport
import Testing

@testable import App

/// Campaigns with the same config and store belong together.
@Suite(.bounded) struct CampaignGroupTests {
    private func groups(
        _ place: SettingsPlace, _ files: [String], _ environment: [String: String] = [:]
    ) -> [CampaignGroup] {
        CampaignGroup.groups(
            of: files.map(place.file), SettingFlags(),
            invocation: place.invocation(environment))
    }

    @Test("Campaigns with the same config form one group")
    func campaignsWithTheSameConfigFormOneGroup() throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": "store: a.sqlite\n", "a/1.yaml": "", "a/deep/2.yaml": "",
            "b/hubsend.yaml": "store: b.sqlite\n", "b/3.yaml": "",
        ])
        let groups = groups(place, ["a/1.yaml", "b/3.yaml", "a/deep/2.yaml"])
        #expect(
            groups.map(\.paths) == [
                [place.file("a/1.yaml"), place.file("a/deep/2.yaml")], [place.file("b/3.yaml")],
            ])
        #expect(
            try groups.map { try $0.settings.get().store } == [
                .file(Path.resolved(place.file("a/a.sqlite"))),
                .file(Path.resolved(place.file("b/b.sqlite"))),
            ])
        #expect(Set(groups.map(\.name)).count == 2)
    }

    @Test("Without a config, campaigns in one folder form one group")
    func withoutAConfigCampaignsInOneFolderFormOneGroup() throws {
        let place = try SettingsPlace(["a/1.yaml": "", "a/2.yaml": "", "b/3.yaml": ""])
        let files = ["a/1.yaml", "a/2.yaml", "b/3.yaml"]
        #expect(groups(place, files).map(\.paths.count) == [2, 1])
        let named = groups(place, files, ["HUBSEND_STORE": place.file("store.sqlite")])
        #expect(named.map(\.paths.count) == [3])
    }

    @Test("A link to a file that has another config forms a group of its own")
    func linkToAFileThatHasAnotherConfigFormsAGroupOfItsOwn() throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": "store: a.sqlite\n", "a/1.yaml": "",
            "b/hubsend.yaml": "store: b.sqlite\n", "b/2.yaml": "",
        ])
        try place.link("a/link.yaml", to: place.file("b/2.yaml"))
        let files = ["a/1.yaml", "a/link.yaml"]
        #expect(groups(place, files).map(\.paths) == files.map { [place.file($0)] })
        let config = ["HUBSEND_CONFIG": place.file("a/hubsend.yaml")]
        #expect(groups(place, files, config).count == 1)
    }

    @Test("A config with errors does not affect the other groups")
    func configWithErrorsDoesNotAffectTheOtherGroups() throws {
        let place = try SettingsPlace([
            "a/hubsend.yaml": "stroe: a.sqlite\n", "a/1.yaml": "",
            "b/hubsend.yaml": "store: b.sqlite\n", "b/2.yaml": "",
        ])
        let groups = groups(place, ["a/1.yaml", "b/2.yaml"])
        #expect(throws: ConfigErrors.self) { try groups[0].settings.get() }
        #expect(
            groups[0].probableStore
                == .file(Path.resolved(place.file("a")) + "/.hubsend/store.sqlite"))
        #expect(throws: Never.self) { try groups[1].settings.get() }
    }
}

import Files
import TestSupport
import Testing

@Suite(.bounded) struct NamedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("outside", to: "outside.yaml")
        try folder.write("inside", to: "root/real/inside.yaml")
        try folder.write("hidden", to: "root/.real/hidden.yaml")
        try folder.write("wide", to: "root/wide.yaml")
    }

    private func text(_ name: String, within folders: [String] = []) throws -> String {
        let file = try NamedFile.open(folder.file(name), within: folders.map { folder.file($0) })
        return String(decoding: try file.contents(limit: 100) ?? [], as: UTF8.self)
    }

    @Test("A link within its folder is followed in every spelling")
    func linkWithinItsFolderIsFollowedInEverySpelling() throws {
        try folder.link("root/relative.yaml", to: "real/inside.yaml")
        try folder.link("root/absolute.yaml", to: folder.file("root/real/inside.yaml"))
        try folder.link("root/twice.yaml", to: "relative.yaml")
        // The way Kubernetes mounts a ConfigMap.
        try folder.link("root/..data", to: ".real")
        try folder.link("root/mounted.yaml", to: "..data/hidden.yaml")
        for name in ["relative", "absolute", "twice"] {
            #expect(try text("root/\(name).yaml") == "inside")
        }
        #expect(try text("root/mounted.yaml") == "hidden")
    }

    @Test("A link out of its folder is refused, and its target is shown")
    func linkOutOfItsFolderIsRefusedAndItsTargetIsShown() throws {
        try folder.link("root/up.yaml", to: "../outside.yaml")
        try folder.link("root/far.yaml", to: folder.file("outside.yaml"))
        try folder.link("root/elsewhere", to: "..")
        try folder.link("root/through.yaml", to: "elsewhere/outside.yaml")
        for name in ["up", "far", "through"] {
            #expect(throws: NamedFile.Failure.leadsOut(target: folder.file("outside.yaml"))) {
                try text("root/\(name).yaml")
            }
        }
        #expect(try text("outside.yaml") == "outside")
    }

    @Test("A wider folder allows more links, but no links to hidden files")
    func widerFolderAllowsMoreLinksButNoLinksToHiddenFiles() throws {
        try folder.link("root/real/wide.yaml", to: "../wide.yaml")
        try folder.link("root/real/hidden.yaml", to: "../.real/hidden.yaml")
        try folder.link("root/real/out.yaml", to: "../../outside.yaml")
        try folder.write("hidden", to: "root/.\u{301}real/hidden.yaml")
        try folder.link("root/real/marked.yaml", to: "../.\u{301}real/hidden.yaml")
        #expect(throws: NamedFile.Failure.self) {
            try text("root/real/marked.yaml", within: ["root"])
        }
        #expect(try text("root/real/wide.yaml", within: ["root"]) == "wide")
        #expect(throws: NamedFile.Failure.self) { try text("root/real/wide.yaml") }
        #expect(throws: NamedFile.Failure.self) {
            try text("root/real/hidden.yaml", within: ["root"])
        }
        #expect(throws: NamedFile.Failure.self) { try text("root/real/out.yaml", within: ["root"]) }
    }

    @Test("A folder with the same prefix is a different folder")
    func folderWithTheSamePrefixIsADifferentFolder() throws {
        try folder.write("other", to: "root-2/other.yaml")
        try folder.link("root/other.yaml", to: "../root-2/other.yaml")
        #expect(throws: NamedFile.Failure.self) { try text("root/other.yaml") }
    }

    @Test("Links on the way to the folder are ignored")
    func linksOnTheWayToTheFolderAreIgnored() throws {
        try folder.link("home", to: "root")
        #expect(try text("home/wide.yaml") == "wide")
        try folder.link("root/near.yaml", to: "wide.yaml")
        #expect(try text("home/near.yaml") == "wide")
    }

    @Test("Missing files and folders are left for the caller to handle")
    func missingFilesAndFoldersAreLeftForTheCallerToHandle() throws {
        try folder.link("gone.yaml", to: "nothing.yaml")
        try folder.link("folder.yaml", to: "root")
        let error = #expect(throws: NamedFile.Failure.self) { try text("gone.yaml") }
        guard case .system(let system) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(system.kind == .missing)
        let opened = try NamedFile.open(folder.file("folder.yaml"))
        #expect(try opened.status().kind == .folder)
    }
}

import TestSupport

@testable import App

/// A folder with campaigns and configs; the current folder is `elsewhere`, next to them.
struct SettingsPlace {
    private let folder: TemporaryFolder

    /// Creates the folder.
    ///
    /// - Parameter files: texts by path.
    /// - Throws: if the folder cannot be created.
    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name, mode: 0o600) }
        try folder.write("", to: "elsewhere/keep.txt")
    }

    func file(_ name: String) -> String { folder.file(name) }

    func link(_ name: String, to target: String) throws {
        try folder.link(name, to: target)
    }

    /// The invocation of a process in the folder `elsewhere`.
    func invocation(_ environment: [String: String] = [:]) -> Invocation {
        Invocation(environment: environment, currentFolder: file("elsewhere"))
    }

    /// The settings for campaigns of the folder; `-` is standard input.
    func load(
        _ campaigns: String..., flags: SettingFlags = SettingFlags(),
        environment: [String: String] = [:]
    ) throws -> EffectiveSettings {
        try EffectiveSettings.load(
            flags, campaigns: campaigns.map { $0 == "-" ? $0 : file($0) },
            invocation: invocation(environment))
    }
}

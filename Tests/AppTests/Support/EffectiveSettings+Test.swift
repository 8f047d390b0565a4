import TestSupport

@testable import App

extension EffectiveSettings {
    /// The settings of a call in a folder that names the store.
    static func load(
        in folder: TemporaryFolder, store: String? = nil, _ environment: [String: String] = [:]
    ) throws -> EffectiveSettings {
        try load(
            SettingFlags(store: store ?? folder.file("store.sqlite")), campaigns: [],
            invocation: Invocation(environment: environment, currentFolder: folder.path))
    }
}

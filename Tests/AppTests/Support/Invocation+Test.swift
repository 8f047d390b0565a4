import Foundation

@testable import App

extension Invocation {
    /// A call without a terminal, from the folder of the tests.
    init(_ environment: [String: String] = [:]) {
        self.init(
            environment: environment, currentFolder: FileManager.default.currentDirectoryPath)
    }
}

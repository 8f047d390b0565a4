import TestSupport

@testable import Storage

protocol StoreFileSuite {
    /// Empty when a test begins.
    var folder: TemporaryFolder { get }
}

extension StoreFileSuite {
    var path: String { folder.file("store.sqlite") }

    var place: StorePlace { .store(path: path) }
}

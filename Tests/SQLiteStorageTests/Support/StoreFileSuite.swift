import TestSupport

@testable import SQLiteStorage
@testable import Storage

/// Tests of a store's file, each in a folder of its own.
protocol StoreFileSuite {
    /// Where the file will be; empty when a test begins.
    var folder: TemporaryFolder { get }
}

extension StoreFileSuite {
    /// The store's path.
    var path: String { folder.file("store.sqlite") }

    /// The store, as errors name it.
    var place: StorePlace { .store(path: path) }
}

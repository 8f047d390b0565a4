import Files

/// What stands beside a store before it is opened, since opening makes what is missing.
struct StoreRemains {
    let mark: StoreMark.Reading
    /// Whether a log with anything in it is there.
    private let hasLog: Bool
    /// The store's own file.
    private let bytes: Int

    /// Looks at the files.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - owner: whom the files belong to.
    /// - Throws: ``StoreError/gone(_:besides:)`` for an empty store whose log has something, which SQLite would throw away.
    init(besideStoreAt path: String, owner: UInt32) throws(StoreError) {
        mark = try StoreMark(besideStoreAt: path).read()
        let files = StoreFiles(path: path, owner: owner)
        hasLog = try files.size(ofSide: "-wal") > 0
        bytes = try files.size()
        if hasLog, bytes == 0 { throw .gone(.store(path: path), besides: path) }
    }

    /// What is wrong, given what the store says of itself.
    ///
    /// - Parameters:
    ///   - look: at the store, after these files were looked at.
    ///   - path: the store's file.
    /// - Returns: nil when nothing is.
    func fault(_ look: StoreLook, at path: String) -> StoreError? {
        let place = StorePlace.store(path: path)
        // Without a log, the file has all pages; some of the last ones may still be in it otherwise.
        if !hasLog, let whole = look.bytes, whole != bytes { return .corrupt(place) }
        guard isLogLost(look) else { return nil }
        return .logLost(place, mark: StoreMark(besideStoreAt: path).path)
    }

    /// Whether the store was saved further than it is now.
    ///
    /// A store that was copied without its mark, in the middle of a run, has its log at least.
    private func isLogLost(_ look: StoreLook) -> Bool {
        switch mark {
        case .void: false
        case .saved(let saved): look.saved.map { $0 < saved } ?? false
        case .missing: look.saved.map { $0 > 0 && look.isAnyRunning && !hasLog } ?? false
        }
    }
}

extension StoreMark.Reading {
    /// Whether it says that something was saved.
    var isSaved: Bool {
        if case .saved(let saved) = self { saved > 0 } else { false }
    }
}

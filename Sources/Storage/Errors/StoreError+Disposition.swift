extension StoreError {
    /// What the one who called can do about a ``StoreError``; the exit code follows from it.
    package enum Disposition: Hashable, Sendable {
        /// Something has to be set right first (exit code 2).
        case configuration
        /// A rerun is safe and may succeed (exit code 75).
        case tryAgain
        /// hubsend is wrong (exit code 70).
        case bug
    }

    /// What to do about it.
    package var disposition: Disposition {
        switch self {
        case .notFound, .newerVersion, .olderVersion, .notAStore, .networkFileSystem,
            .ownedByAnother, .writableByOthers, .inaccessible, .settingRefused, .corrupt, .logLost,
            .gone,
            .readOnly, .noSuchRun, .replaced, .hasFurtherNames, .readableByOthers, .notAKey,
            .noPayloadKey, .wrongPayloadKey:
            .configuration
        case .diskFull, .locked, .inputOutput, .runExists, .registrationTaken,
            .usedByAnotherName:
            .tryAgain
        case .unexpected, .notStaging, .unordered, .foreignPlatform:
            .bug
        }
    }
}

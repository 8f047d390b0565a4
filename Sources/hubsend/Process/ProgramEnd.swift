/// Another program did the command's work; its exit code is handed on as it is.
struct ProgramEnd: Error, Equatable {
    /// 0 to 255; 128 and the signal's number for one that a signal ended, as shells say it.
    let code: Int32
}

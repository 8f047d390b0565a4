import Foundation

/// libFuzzer's driver, which comes with the compiler and has no Swift module.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func read(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: start, count: count)
    unsafe Fuzz.parser?.read(Array(input))
    return 0
}

/// Feeds one input after another to a parser.
///
/// `HUBSEND_FUZZ_PARSER` names it; the options are libFuzzer's. `fuzz --list` lists the parsers;
/// `fuzz --answer KIND` prints a parser's results for `.ci/differential`.
@main
struct Fuzz {
    fileprivate static let parser = ProcessInfo.processInfo.environment["HUBSEND_FUZZ_PARSER"]
        .flatMap { Parser(rawValue: $0) }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--list" {
            print(Parser.allCases.map(\.rawValue).joined(separator: "\n"))
        } else if arguments.first == "--answer", let kind = Answer(rawValue: arguments.last ?? "") {
            while let line = readLine() { print(kind.answer(line)) }
        } else if parser != nil {
            var count = CommandLine.argc
            var values = unsafe CommandLine.unsafeArgv
            exit(unsafe runDriver(&count, &values, read))
        } else {
            print("Name a parser in HUBSEND_FUZZ_PARSER; `fuzz --list` lists them.")
            exit(64)
        }
    }
}

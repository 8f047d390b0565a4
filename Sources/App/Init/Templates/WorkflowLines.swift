/// Shell lines with the checks at the start of each workflow.
enum WorkflowLines {
    /// The placeholder for the program's address.
    static let unsetProgram = "https://www.example.com/hubsend"

    /// Fails until the program's address is filled in.
    static let programCheck = """
        case $PROGRAM_URL$PROGRAM_SHA256 in
          *//www.example.*|*0000000000000000*)
            echo 'Fill in PROGRAM_URL and PROGRAM_SHA256 in this workflow: the address and the checksum of your hubsend build.' >&2
            exit 1 ;;
        esac
        """

    /// Fails if the store would be lost with the runner.
    static let storeCheck = """
        case $HUBSEND_STORE in
          postgres://*|postgresql://*) ;;
          *) echo 'HUBSEND_STORE must name a PostgreSQL server: runners do not keep files, so everything would be sent again.' >&2; exit 1 ;;
        esac
        """

    /// Indents lines as a block of a YAML file.
    static func indented(_ text: String, by depth: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: depth) + $0 }.joined(separator: "\n")
    }
}

/// What the workflows of all services check before they do anything; lines for a shell.
enum WorkflowLines {
    /// What stands for the address of the program until somebody has filled it in.
    static let unsetProgram = "https://www.example.com/hubsend"

    /// Fails while nobody has said where the program lies.
    static let programCheck = """
        case $PROGRAM_URL$PROGRAM_SHA256 in
          *//www.example.*|*0000000000000000*)
            echo 'Fill in PROGRAM_URL and PROGRAM_SHA256 in this workflow: where your build of hubsend lies, and its checksum.' >&2
            exit 1 ;;
        esac
        """

    /// Fails while the store would be gone with the runner.
    static let storeCheck = """
        case $HUBSEND_STORE in
          postgres://*|postgresql://*) ;;
          *) echo 'HUBSEND_STORE has to name a PostgreSQL server: a runner keeps nothing, and all would be sent again.' >&2; exit 1 ;;
        esac
        """

    /// Lines as a block of a YAML file.
    ///
    /// - Parameter depth: how far each line is indented.
    static func indented(_ text: String, by depth: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: depth) + $0 }.joined(separator: "\n")
    }
}

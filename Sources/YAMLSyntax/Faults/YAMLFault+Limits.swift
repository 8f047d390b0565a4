/// The faults that end the reading of a file that asks for too much.
extension YAMLFault {
    static func tooLarge(_ count: Int, limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooLarge, "The file has \(count) bytes; at most \(limit) are read.", at: range,
            help: "Move long lists to files of their own.")
    }

    static func tooDeep(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooDeep, "Lists and mappings are nested more than \(limit) deep here.", at: range,
            help: "Check for brackets that are opened and never closed.")
    }

    static func tooManyNodes(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooManyNodes, "The file has more than \(limit) values.", at: range,
            help: "Move long lists to files of their own.")
    }

    static func tooMuchExpansion(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooMuchExpansion,
            "The aliases up to here stand for more than \(limit) values.", at: range,
            help: "Write the values out, or move long lists to files of their own.")
    }

    static func tooManyFaults(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooManyFaults,
            "The file has more than \(limit) faults; the rest of it was not read.", at: range,
            help: "Mend the ones above and check again.")
    }
}

/// Groups runs that are checked in one transaction.
///
/// A server locks the tables of these runs until the transaction ends, so a run with separate
/// tables is not grouped.
enum RunsAtOnce {
    private static let most = 16

    static func all(_ runs: [Int64], _ db: any SQLConnection) -> [[Int64]] {
        var groups: [[Int64]] = []
        for run in runs {
            if let group = groups.last, group.count < most,
                !db.hasOwnTables(run), !db.hasOwnTables(group[0])
            {
                groups[groups.count - 1].append(run)
            } else {
                groups.append([run])
            }
        }
        return groups
    }
}

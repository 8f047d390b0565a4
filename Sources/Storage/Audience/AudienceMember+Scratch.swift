import CampaignCore
import FoundationEssentials
import GRDB

extension AudienceMember {
    /// Reads a person back from three columns: name, values, origin.
    init(scratch row: Row, from column: Int) {
        self.init(
            username: Username(checked: row[column]),
            values: PackedValues.unpack((row[column + 1] as Data?).map(Array.init)),
            origin: PackedOrigin.unpack(row[column + 2]))
    }
}

/// The audience files of the starter campaigns: a table, and lists of names.
enum AudienceTemplates {
    /// The people of the secure campaign; one has no first name, so that the default is seen.
    static let customers = """
        username,first_name,month
        alice,Alice,November
        bob,Bob,November
        carol,,November
        dan,Dan,November
        erin,Erin,November

        """

    /// Who is left out of it.
    static let optedOut = """
        erin

        """

    /// The people of the alert.
    static let staff = """
        alice
        bob
        frank

        """
}

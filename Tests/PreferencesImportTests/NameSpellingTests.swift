import Testing

@testable import PreferencesImport

@Suite("Spelling names as Swift has them")
struct NameSpellingTests {
    @Test(
        "Members are spelled in lower camel case",
        arguments: [
            ("colorScheme", "colorScheme"), ("color-scheme", "colorScheme"), ("ColorScheme", "colorScheme"),
            ("color_scheme", "colorScheme"), ("Color Scheme", "colorScheme"), ("com.example.on", "comExampleOn"),
            ("URLList", "urlList"), ("URL", "url"), ("DBCertificatePath", "dbCertificatePath"), ("H264", "h264"),
            ("obeyDRM", "obeyDRM"), ("12h", "_12h"), ("größe", "größe"), ("---", "unnamed"), ("", "unnamed"),
            ("_hidden", "hidden"), ("a²", "a²"), ("it's", "itS"), ("日本", "日本"),
        ]
    )
    func members(text: String, name: String) {
        #expect(NameSpelling.member(text) == name)
    }

    @Test(
        "Types are spelled in upper camel case",
        arguments: [
            ("GDesktopProxyMode", "GDesktopProxyMode"), ("proxy-mode", "ProxyMode"), ("3d", "_3d"), ("", "Unnamed"),
        ]
    )
    func types(text: String, name: String) {
        #expect(NameSpelling.type(text) == name)
    }
}

// Package clustertest proves that several processes share a home whose indexes lie in a Weaviate and
// whose catalog lies in PostgreSQL. Its tests build the program and run it: commands, servers and
// workers, all with one home folder. They kill processes and nodes, and start the database again.
//
// make test-cluster runs them, with PROCESSES=long in the long form. DOCENT_TEST_PROCESSES says so to
// the tests, which are skipped without it.
//
// It refuses to depend on time: the tests wait for states, and kill at the request or at the line of
// output that they chose.
package clustertest
